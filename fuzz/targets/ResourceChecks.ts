import { Effect } from "effect"
import { checkPath } from "../../src/doors/resource/GatewayAnswer.ts"
import { wellKnown } from "../../src/doors/resource/ResourceMetadata.ts"
import type { Dice } from "../Dice.ts"
import { known } from "../KnownValues.ts"
import type { Target } from "../Target.ts"
import { nearby } from "../Values.ts"

/** Checks of gateways in front of a resource, which the contract leaves to the documentation of gateways. */
const checks: ReadonlyArray<Target> = ["", "/scopes/:scopes"].flatMap((named) =>
  ["nginx", "forwarded", "envoy/*"].map((gateway): Target => {
    const route = `${checkPath}/resources/:id${named}/${gateway}`
    return {
      name: `* ${route}`,
      turn: Effect.fnUntraced(function*(attempt, world, dice) {
        const app = dice.pick(world.apps)
        const mistakes = dice.chance(0.3) ? 0 : 0.25
        const text = (right: string) => dice.chance(mistakes) ? nearby(dice, right) : right
        const call = text((yield* known("call", app, world, dice)) ?? "/")
        const headers: Record<string, string> = {}
        const prefix = gateway === "nginx" ? "x-original" : "x-forwarded"
        if (!dice.chance(mistakes / 4)) headers[`${prefix}-uri`] = headerText(call)
        if (!dice.chance(mistakes / 4)) headers[`${prefix}-method`] = headerText(text("GET"))
        // The token of the app without one is empty: so is its header.
        const token = dice.pick([world.resource.accessToken, app.accessToken])
        if (token !== "" && !dice.chance(mistakes / 4)) headers["authorization"] = headerText(text(`Bearer ${token}`))
        yield* attempt({
          target: `* ${route}`,
          method: dice.pick(["GET", "GET", "POST", "DELETE"]),
          path: route
            .replace(":id", segment(text(world.resource.id)))
            .replace(":scopes", segment(text(scopesOf(dice))))
            .replace("/*", asciiPath(call)),
          headers: { ...headers, "content-length": "0" },
          secrets: [],
          signedIn: false
        })
      })
    }
  })
)

/** Metadata of a resource, at the address that RFC 9728 §3.1 makes of its identifier. */
const metadata: Target = {
  name: `GET ${wellKnown}/:first/*`,
  turn: Effect.fnUntraced(function*(attempt, world, dice) {
    const identifier = dice.pick([world.resource.identifier, world.url])
    const path = dice.chance(0.3) ? nearby(dice, new URL(identifier).pathname) : new URL(identifier).pathname
    yield* attempt({
      target: metadata.name,
      method: "GET",
      path: wellKnown + asciiPath(path),
      headers: dice.chance(0.8) ? { "x-forwarded-host": new URL(identifier).host } : {},
      secrets: [],
      signedIn: false
    })
  })
}

/** What stands before a resource. */
export const targets: ReadonlyArray<Target> = [...checks, metadata]

const scopesOf = (dice: Dice) => dice.pick(["PROFILE_READ", "BOOKING_READ", "PROFILE_READ,BOOKING_READ", "NONE_SUCH"])

const segment = (text: string): string => encodeURIComponent(text.toWellFormed().slice(0, 2_000))

const asciiPath = (call: string): string => `/${encodeURI(call.toWellFormed()).slice(0, 2_000)}`.replace(/^\/+/, "/")

const headerText = (text: string): string => text.replaceAll(/[^\t\x20-\x7E]/g, "?").slice(0, 4_000)

import { Effect } from "effect"
import { registrationPath } from "../../src/doors/oauth/ServerMetadata.ts"
import type { Attempt } from "../Attempt.ts"
import type { Dice } from "../Dice.ts"
import type { Target } from "../Target.ts"
import { nearby, strangeJson, strangeText } from "../Values.ts"
import { redirectUri, type World } from "../World.ts"

/** Apps that register by themselves and manage their registration (RFC 7591, RFC 7592), which no contract describes. */
export const targets: ReadonlyArray<Target> = (["POST", "GET", "PUT", "DELETE"] as const).map((method) => {
  const route = `${method} ${method === "POST" ? registrationPath : `${registrationPath}/:id`}`
  return {
    name: route,
    turn: Effect.fnUntraced(function*(attempt, world, dice) {
      yield* attempt(attemptAt(method, route, world, dice))
    })
  }
})

const attemptAt = (method: string, route: string, world: World, dice: Dice): Attempt => {
  const mistakes = dice.chance(0.3) ? 0 : 0.25
  const { id, secret, token } = method === "DELETE" ? world.registered.removed : world.registered.kept
  const text = (right: string) => dice.chance(mistakes) ? nearby(dice, right) : right
  const bearer = text(method === "POST" ? world.initialToken.token : token)
  const hasBearer = method === "POST" ? dice.chance(0.3) : !dice.chance(mistakes / 4)
  const path = method === "POST"
    ? registrationPath
    : `${registrationPath}/${encodeURIComponent(text(id).toWellFormed().slice(0, 2_000))}`
  const body = method === "POST"
    ? bodyOf(metadata(dice, mistakes), dice, mistakes)
    : method === "PUT"
    ? bodyOf({ client_id: id, client_secret: secret, ...metadata(dice, mistakes) }, dice, mistakes)
    : undefined
  return {
    target: route,
    method,
    path,
    headers: {
      ...(hasBearer ? { authorization: `Bearer ${bearer.replaceAll(/[^\t\x20-\x7E]/g, "?").slice(0, 4_000)}` } : {}),
      ...(body === undefined ? {} : {
        "content-type": dice.chance(mistakes / 4) ? "text/plain" : "application/json",
        "content-length": String(Buffer.byteLength(body))
      })
    },
    ...(body === undefined ? {} : { body }),
    secrets: [],
    signedIn: false
  }
}

const bodyOf = (members: Readonly<Record<string, unknown>>, dice: Dice, mistakes: number): string => {
  const json = JSON.stringify(members)
  return dice.chance(mistakes / 4) ? nearby(dice, json) : json
}

/** Metadata with some members left out and some of them wrong. */
const metadata = (dice: Dice, mistakes: number): Readonly<Record<string, unknown>> => {
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(right(dice))) {
    if (name !== "redirect_uris" && dice.chance(0.3)) continue
    members[name] = dice.chance(mistakes) ? strangeJson(dice, value) : value
  }
  if (dice.chance(mistakes / 4)) members[strangeText(dice)] = strangeText(dice)
  return members
}

const right = (dice: Dice) => ({
  redirect_uris: [redirectUri],
  client_name: `Agent ${dice.below(1_000_000)}`,
  client_uri: "https://app.example",
  logo_uri: "https://pictures.example/logo.png",
  policy_uri: "https://app.example/privacy",
  tos_uri: "https://app.example/terms",
  contacts: ["help@app.example"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: dice.pick(["none", "client_secret_basic", "client_secret_post"]),
  scope: "PROFILE_READ BOOKING_READ",
  software_id: "desk-agent",
  software_version: "1.0"
})

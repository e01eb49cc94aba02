import { assert, describe, it } from "@effect/vitest"
import { hash } from "node:crypto"
import { catalogue as scopes } from "../../src/domain/catalogue/BuiltInScope.ts"
import catalogueFile from "../../src/domain/catalogue/scheduling.catalogue.json" with { type: "json" }
import type { Scope } from "../../src/domain/scopes/Scope.ts"
import { makeGuard, makeOfflineGuard } from "../../src/resource.ts"
import * as Testing from "../../src/testing.ts"

interface Operation {
  readonly method: string
  readonly path: string
  readonly access: string
  readonly scope?: string
  readonly neverForApps?: string
}
const operations: ReadonlyArray<Operation> = catalogueFile.operations

/** Digest of the platform's own list, by which the built-in file says the same; sorted, an operation a line. */
const listed = "c48dd17a9e1517be81b3494727cec7789dba5eedc9bf10bcabdfa9024233960b"

/** Scopes that suffice for one: itself, and an organization's for a team's (specification §2.3 rule 1). */
const sufficing = (needed: string): ReadonlyArray<Scope> =>
  scopes.filter((held) => held === needed || (held.startsWith("ORG_") && held.replace("ORG_", "TEAM_") === needed))

/** Answer to a call, by the list and in words of ours: no code of the server has a part in it. */
const expected = (
  { access, neverForApps, scope = "" }: Operation,
  held: ReadonlyArray<string> | "none" | "everything"
): string => {
  if (access === "public") return "200"
  if (access === "closed") return held === "everything" && neverForApps === undefined ? "200" : "403"
  if (held === "none") return access === "scope" ? `401 scope="${scope}"` : "200"
  const isEnough = held === "everything" || sufficing(scope).some((name) => held.includes(name))
  // A client asks again for all that the refusal names, so it names what the token has as well.
  return isEnough ? "200" : `403 scope="${scopes.filter((name) => name === scope || held.includes(name)).join(" ")}"`
}

type Door = (method: string, target: string, authorization: string | undefined) => Promise<string>

const said = (status: number, challenge: string | null | undefined): string =>
  [status, ...(/scope="[^"]*"/.exec(challenge ?? "") ?? [])].join(" ")

describe("The 363 operations", () => {
  it("are those of the platform", () => {
    const lines = operations.map(({ access, method, neverForApps = "-", path, scope = "-" }) =>
      [method, path, access, scope, neverForApps].join(" ")
    )
    assert.lengthOf(lines, 363)
    assert.strictEqual(hash("sha256", lines.sort().join("\n")), listed)
  })

  it("are open to the right callers at each door, and to no others", async () => {
    await using server = await Testing.start()
    const app = await server.app({ scopes })
    const legacy = await server.app({ legacy: true })
    const bearer = ({ accessToken }: { readonly accessToken: string }) => `Bearer ${accessToken}`
    const holding = async (held: ReadonlyArray<Scope>) => ({
      held,
      // Of one user the oldest grants would end.
      authorization: bearer(await server.tokens({ app, user: await server.user(), scopes: held }))
    })
    const everything = {
      held: "everything" as const,
      authorization: bearer(await server.tokens({ app: legacy }))
    }
    const nobody = { held: "none" as const, authorization: undefined }
    // Of each scope the token that has it alone, and one that has all others: as much as a wrong one can have.
    const alone = new Map<string, Awaited<ReturnType<typeof holding>>>()
    const without = new Map<string, Awaited<ReturnType<typeof holding>>>()
    for (const name of scopes) {
      alone.set(name, await holding([name]))
      without.set(name, await holding(scopes.filter((other) => !sufficing(name).includes(other))))
    }

    const baseUrl = "https://slotkey.test"
    // What the server says of a token is asked for once: the calls are what differs here.
    const asked = new Map<string, Promise<Response>>()
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init)
      const key = `${request.url} ${await request.clone().text()}`
      const answer = asked.get(key) ?? server.fetch(request)
      asked.set(key, answer)
      return (await answer).clone()
    }
    const guards = [
      await makeGuard({ baseUrl, credential: await server.credential() }, fetch),
      await makeOfflineGuard({ baseUrl }, fetch)
    ]
    const gateway: Door = async (method, target, authorization) => {
      const { headers, status } = await server.fetch("/v2/auth/oauth2/check/nginx", {
        headers: {
          "x-original-method": method,
          "x-original-uri": target,
          ...(authorization === undefined ? {} : { authorization })
        }
      })
      return said(status, headers.get("www-authenticate"))
    }
    const doors: ReadonlyArray<Door> = [
      gateway,
      ...guards.map((guard): Door => async (method, target, authorization) => {
        const verdict = await guard.check({ method, target, authorization })
        return verdict.allowed ? "200" : said(verdict.status, verdict.headers["www-authenticate"])
      })
    ]

    for (const operation of operations) {
      const { method, path, scope = "PROFILE_READ" } = operation
      const target = path.replaceAll(/\{\w+\}/g, "cm4x8_Q-1")
      const callers = [nobody, everything, without.get(scope), ...sufficing(scope).map((name) => alone.get(name))]
      for (const caller of callers) {
        if (caller === undefined) throw new Error(`no token for ${scope}`)
        const answers = await Promise.all(doors.map((door) => door(method, target, caller.authorization)))
        const right = expected(operation, caller.held)
        assert.deepStrictEqual(answers, [right, right, right], `${caller.held} ${method} ${path}`)
      }
    }

    // The one call that the server answers itself.
    const profile = { method: "GET", path: "/v2/me", access: "scope", scope: "PROFILE_READ" }
    for (const caller of [nobody, everything, ...alone.values(), ...without.values()]) {
      const headers = caller.authorization === undefined ? {} : { authorization: caller.authorization }
      const me = await server.fetch("/v2/me", { headers })
      assert.strictEqual(
        said(me.status, me.headers.get("www-authenticate")),
        expected(profile, caller.held),
        `${caller.held} /v2/me`
      )
    }
    await Promise.all(guards.map((guard) => guard.close()))
  }, 120_000)
})

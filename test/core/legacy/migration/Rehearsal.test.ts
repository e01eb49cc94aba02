import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ResourceServers } from "../../../../src/core/tokens/ResourceServers.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { layer as server } from "../../../support/TestServer.ts"
import { merge } from "../../usage/Scenario.ts"
import { legacyApp } from "../Scenario.ts"

const env = { SESSION_LIFETIME: "400 days" }

/** Each call was seen since the day before this one, by the clock of the test. */
const begin = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const yesterday = DateTime.formatIsoDateUtc(DateTime.subtract(yield* DateTime.now, { days: 1 }))
  yield* sql`UPDATE usage_gaps SET day = ${yesterday}::text::date`
})

type App = Effect.Success<typeof legacyApp>

interface Found {
  readonly suggested: ReadonlyArray<string>
  readonly calls: { readonly blindness: string | null }
  readonly rehearsal: {
    readonly calls: number
    readonly refusedCalls: number
    readonly refusedUsers: number
    readonly isComplete: boolean
  }
}

const found = (app: App, scopes: ReadonlyArray<string>) =>
  Effect.map(
    app.owner.call("GET", `${app.path}/migration?scope=${scopes.join("+")}`),
    ({ json }) => json["data"] as unknown as Found
  )

/** Awaits, in the background of the server, that this many calls were counted. */
const counted = (app: App, calls: number, scopes: ReadonlyArray<string> = []) =>
  Effect.andThen(TestClock.adjust("1 minute"), found(app, scopes)).pipe(
    Effect.repeat({ until: ({ rehearsal }) => rehearsal.calls >= calls, times: 200 }),
    Effect.tap(({ rehearsal }) => Effect.sync(() => assert.strictEqual(rehearsal.calls, calls)))
  )

layer(server(env), { timeout: 120_000 })("A rehearsal of a migration", (it) => {
  it.effect("predicts the refusals that happen when the same calls come again after the save", () =>
    Effect.gen(function*() {
      yield* begin
      const endpoints = builtIn().policy.endpoints.filter(({ requirement }) => requirement._tag !== "Closed")
      const users = yield* Effect.flatMap(legacyApp, ({ user }) => Effect.all([user, user, user]))
      const seen = { refused: 0, uncovered: 0, none: 0 }
      for (let seed = 1; seed <= 12; seed++) {
        const random = randomOf(seed)
        const app = yield* legacyApp
        const some = Array.from({ length: 6 }, () => endpoints[random(endpoints.length)]!)
        const named = [
          ...new Set(some.flatMap(({ requirement }) => "scope" in requirement ? [requirement.scope] : []))
        ].filter((scope) => !/^(TEAM|ORG)_/.test(scope))
        const chosen = ["PROFILE_READ", ...named.filter(() => random(3) > 0)]
        // One in four has a token with scopes already.
        const before = yield* Effect.forEach(
          users,
          (user) => app.connect(user, random(4) === 0 ? "BOOKING_READ" : undefined)
        )
        const calls = Array.from(
          { length: 14 },
          () => ({ user: random(users.length), endpoint: some[random(some.length)]! })
        )
        const pass = (tokens: typeof before) =>
          Effect.map(
            Effect.forEach(calls, ({ endpoint: { method, path }, user }) =>
              app.check(method, path.replaceAll(/\{[^}]*\}/g, "7"), tokens[user]?.json["access_token"])),
            (answers) =>
              calls.filter((_, at) =>
                answers[at]?.status === 200
              )
          )
        const allowed = yield* pass(before)
        const known = allowed.filter(({ endpoint }) => endpoint.requirement._tag !== "Public")
        const { rehearsal } = yield* counted(app, known.length, chosen)

        const { text } = yield* app.owner.call("PATCH", app.path, { scopes: chosen, breakOldUrls: true })
        assert.include(text, `"legacy":false`)
        const passed = new Set(yield* pass(yield* Effect.forEach(users, (user) => app.connect(user, chosen.join(" ")))))
        const refused = known.filter((call) => !passed.has(call))
        assert.deepInclude(rehearsal, {
          refusedCalls: refused.length,
          refusedUsers: new Set(refused.map(({ user }) => user)).size,
          isComplete: true
        }, `seed ${seed}`)
        seen.refused += refused.length
        seen.uncovered += refused.filter(({ endpoint }) => endpoint.requirement._tag === "LegacyGrant").length
        if (refused.length === 0) seen.none++
      }
      for (const [what, times] of Object.entries(seen)) assert.isAbove(times, 0, what)
    }))

  it.effect("is shown on the page, and changes nothing", () =>
    Effect.gen(function*() {
      yield* begin
      const app = yield* legacyApp
      const { json } = yield* app.connect(yield* app.user)
      for (const page of ["1", "2"]) yield* app.check("GET", `/v2/bookings?page=${page}`, json["access_token"])
      yield* app.check("GET", "/v2/me", json["access_token"])
      yield* counted(app, 3)
      const before = yield* app.client
      const page = `/settings/apps/${app.id}/migration`
      const { status, text } = yield* app.owner.post(`${page}/rehearsal`, {
        version: String(before.version),
        "scope:PROFILE_READ": "on"
      })
      assert.strictEqual(status, 200)
      assert.match(text, /its tokens called <code>BOOKING_READ<\/code> 2 times and <code>PROFILE_READ<\/code> once/)
      assert.match(text, /With the scopes chosen, 2 calls of one user would have been refused\. Nothing was changed/)
      assert.match(text, /<code>BOOKING_READ<\/code> is not among the scopes: needed by 2 API calls/)
      assert.match(text, /name="scope:PROFILE_READ"[^>]* checked/)
      assert.notMatch(text, /name="scope:BOOKING_READ"[^>]* checked/)
      assert.deepStrictEqual(yield* app.client, before)
    }))

  it.effect("is on the board and in its export, with the scopes that requests named", () =>
    Effect.gen(function*() {
      yield* begin
      const app = yield* legacyApp
      const ann = yield* app.user
      const { json } = yield* app.connect(ann)
      yield* app.check("GET", "/v2/bookings", json["access_token"])
      yield* app.connect(ann, "PROFILE_READ")
      yield* counted(app, 1)
      yield* merge
      const address = `/v2/admin/legacy-clients?search=${app.id}`
      const board = yield* app.admin.call("GET", address)
      const expected = { scopes: ["PROFILE_READ"], calls: 1, refusedCalls: 1, blindness: "recent" }
      const [client] = (board.json["data"] as { readonly clients: ReadonlyArray<{ readonly calls: object }> }).clients
      assert.deepStrictEqual(client?.calls, expected)
      assert.include(
        (yield* app.admin.get(`/review/migration?search=${app.id}`)).text,
        "1 of 1 call would be refused; not all calls are known"
      )
      const file = yield* app.admin.get(`/v2/admin/legacy-clients/export?format=csv&search=${app.id}`)
      assert.include(file.text, ",1,recent,PROFILE_READ,1,")
    }))
})

layer(server(env), { timeout: 60_000 })("The scopes that are chosen for a legacy app", (it) => {
  const requested = "PROFILE_READ BOOKING_READ"
  const both = ["BOOKING_READ", "PROFILE_READ"]

  it.effect("are those that calls needed, once each call was seen for as long as the app is observed", () =>
    Effect.gen(function*() {
      yield* begin
      const app = yield* legacyApp
      const ann = yield* app.user
      const { json } = yield* app.connect(ann, requested)
      yield* app.check("GET", "/v2/bookings", json["access_token"])
      const early = yield* counted(app, 1)
      assert.deepStrictEqual([early.calls.blindness, new Set(early.suggested)], ["recent", new Set(both)])
      yield* TestClock.adjust("8 days")
      const known = yield* found(app, [])
      assert.deepStrictEqual([known.calls.blindness, known.suggested], [null, ["BOOKING_READ"]])
      const page = (yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text
      assert.match(page, /name="scope:BOOKING_READ"[^>]* checked/)
      assert.notMatch(page, /name="scope:PROFILE_READ"[^>]* checked/)
      assert.match(page, /Requests name <code>PROFILE_READ<\/code>, too, but no call needed it: take it out of the URL/)

      // A server that asks about the token alone may have used any right.
      const renewed = yield* app.connect(ann, requested)
      const { credential } = yield* (yield* ResourceServers).create("Bookings")
      yield* app.post("/v2/auth/oauth2/introspect", { token: String(renewed.json["access_token"]) }, {
        authorization: `Bearer ${Redacted.value(credential)}`
      })
      const blind = yield* Effect.andThen(TestClock.adjust("1 minute"), found(app, [])).pipe(
        Effect.repeat({ until: ({ calls }) => calls.blindness !== null, times: 200 })
      )
      assert.deepStrictEqual([blind.calls.blindness, new Set(blind.suggested)], ["introspection", new Set(both)])
    }))
})

layer(server({ ...env, USAGE: "partial" }), { timeout: 60_000 })("Where some servers verify offline", (it) => {
  it.effect("requests are believed, and the page says so", () =>
    Effect.gen(function*() {
      yield* begin
      const app = yield* legacyApp
      const { json } = yield* app.connect(yield* app.user, "PROFILE_READ BOOKING_READ")
      yield* app.check("GET", "/v2/bookings", json["access_token"])
      yield* counted(app, 1)
      yield* TestClock.adjust("8 days")
      const { calls, suggested } = yield* found(app, [])
      assert.deepStrictEqual([calls.blindness, suggested.length], ["offline", 2])
      assert.include(
        (yield* app.owner.get(`/settings/apps/${app.id}/migration`)).text,
        "Some APIs check access on their own, so not all calls are known. Scopes that requests named are therefore chosen"
      )
    }))
})

/** A random number generator (from Numerical Recipes) that makes the same calls for the same seed. */
const randomOf = (seed: number) => {
  let state = Math.imul(seed, 0x9e3779b1)
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { type Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { Agreement } from "../../src/core/catalogue/Agreement.ts"
import { Catalogues } from "../../src/core/catalogue/Catalogues.ts"
import { ResourceServers } from "../../src/core/tokens/ResourceServers.ts"
import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import { make } from "../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../src/domain/catalogue/file/CatalogueFile.ts"
import { makeGuard } from "../../src/resource.ts"
import * as Testing from "../../src/testing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { approvedApp, serverClient } from "../support/TestServer.ts"

const old = builtInFile()

/** An operation and the profile need other scopes than before; one of these has not the form of a built-in name. */
const next: CatalogueFile = {
  ...old,
  scopes: [...old.scopes, scopeOf("guests", "See your guests"), scopeOf("SELF_READ", "See who you are")],
  profile: { scope: "SELF_READ" },
  operations: old.operations.map((operation) =>
    operation.path === "/v2/bookings/{bookingUid}/attendees" && operation.method === "GET"
      ? { ...operation, scope: "guests" }
      : operation
  )
}

function scopeOf(name: string, title: string): CatalogueFile["scopes"][number] {
  return { name, level: "user", access: "read", title, covers: `${title}.` }
}

/** Names as the types of a program know them that has not registered its catalogue. */
const scopes = (text: string) => make(next).named(text).scopes

const all = "BOOKING_READ PROFILE_READ guests SELF_READ"
const guests = "/v2/bookings/1/attendees"
const baseUrl = "https://slotkey.test"

/** A server of a fleet, which leaves alone what is in force. */
const node = (catalogue: CatalogueFile) =>
  Testing.layer({ ...TestDatabase.patient, DATABASE_URL: "postgres://elsewhere/slotkey" }, catalogue).pipe(
    Layer.provideMerge(HttpServer.layerServices),
    Layer.fresh
  )

const at = <S>(services: Context.Context<S>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideContext(effect, services)

/** A server with the catalogue in force, and one with the announced one. */
const fleet = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM catalogues`
  const atOld = at(yield* Layer.build(node(old)))
  const atNew = at(yield* Layer.build(node(next)))
  yield* atOld(Effect.provide(
    Effect.gen(function*() {
      const { announce, current } = yield* Catalogues
      yield* announce({ file: next, isBuiltIn: false }, (yield* current).inForce?.id ?? "", { actor: "cli" })
    }),
    Catalogues.layer
  ))
  for (const here of [atOld, atNew]) yield* here(Effect.flatMap(Agreement, ({ refresh }) => refresh))
  return { atOld, atNew }
})

const inAnyOrder = (names: unknown) => String(names).split(/[ ,]/).sort()

layer(TestDatabase.layer, { timeout: "1 minute" })(
  "A token with scopes that only the announced catalogue knows",
  (it) => {
    it.effect("passes at a node with the old one where both let it pass, and is told in full", () =>
      Effect.gen(function*() {
        const { atNew, atOld } = yield* fleet
        const app = yield* atNew(approvedApp({ scopes: scopes(all) }))
        const { access_token: token } = yield* atNew(app.tokens())
        const { access_token: narrow } = yield* atNew(app.tokens({ scopes: scopes("BOOKING_READ PROFILE_READ") }))
        const { credential } = yield* atNew(Effect.flatMap(ResourceServers, ({ create }) => create("calendar")))

        const validators = new Set<string | null>()
        for (const here of [atNew, atOld]) {
          const { ask, me, post } = yield* here(serverClient)
          validators.add((yield* ask("/.well-known/slotkey-catalogue")).headers.get("etag"))
          const check = (accessToken: unknown) =>
            ask("/v2/auth/oauth2/check/nginx", {
              headers: {
                "authorization": `Bearer ${accessToken}`,
                "x-original-method": "GET",
                "x-original-uri": guests
              }
            })
          const passed = yield* check(token)
          assert.strictEqual(passed.status, 200)
          assert.deepStrictEqual(inAnyOrder(passed.headers.get("x-slotkey-scope")), inAnyOrder(all))
          assert.strictEqual((yield* check(narrow)).status, 403)

          assert.strictEqual((yield* me(token)).status, 200)
          assert.strictEqual((yield* me(narrow)).status, 403)
          const userinfo = yield* ask("/v2/auth/oauth2/userinfo", { headers: { authorization: `Bearer ${token}` } })
          assert.strictEqual(userinfo.status, 200)
          const authorization = `Bearer ${Redacted.value(credential)}`
          const { json } = yield* post("/v2/auth/oauth2/introspect", { token: String(token) }, { authorization })
          assert.deepStrictEqual(inAnyOrder(json["scope"]), inAnyOrder(all))

          // An API that has the new catalogue may ask either.
          const send = yield* here(Testing.server)
          const verdict = yield* Effect.promise(async () => {
            const guard = await makeGuard(
              { baseUrl, credential, catalogue: next },
              (input, init) => Effect.runPromise(send(new Request(input, init)))
            )
            const call = { method: "GET", target: guests, authorization: `Bearer ${token}` }
            return await guard.check(call).finally(() => guard.close())
          })
          assert.deepStrictEqual(
            verdict.allowed ? inAnyOrder(verdict.caller?.scopes) : verdict.message,
            inAnyOrder(all)
          )
        }
        // A guard that fetches from both is answered by both alike.
        assert.strictEqual(validators.size, 1)
      }))

    it.effect("is refreshed to some of them at a node with the old one, whatever form they have", () =>
      Effect.gen(function*() {
        const { atNew, atOld } = yield* fleet
        const app = yield* atNew(approvedApp({ scopes: scopes(all) }))
        const { token } = yield* atOld(serverClient)
        const given = Effect.fnUntraced(function*(grant: ReadonlyArray<string> | null, scope: string) {
          const { refresh_token } = yield* atNew(app.tokens({ scopes: grant }))
          const { json } = yield* token({ ...app.refreshOf(refresh_token), scope })
          return json["scope"] ?? json["error"]
        })
        assert.strictEqual(yield* given(scopes(all), "BOOKING_READ guests"), "BOOKING_READ guests")
        assert.strictEqual(yield* given(scopes(all), "BOOKING_READ SELF_READ"), "BOOKING_READ SELF_READ")
        assert.strictEqual(yield* given(scopes(all), "guests"), "guests")
        assert.strictEqual(yield* given(scopes(all), "guests SELF_READ offline_access"), "SELF_READ guests")
        assert.strictEqual(yield* given(scopes(all), "BOOKING_READ strangers"), "BOOKING_READ")
        assert.strictEqual(yield* given(scopes("BOOKING_READ"), "BOOKING_READ guests"), "invalid_scope")
        assert.strictEqual(yield* given(null, "BOOKING_READ guests"), "BOOKING_READ guests")
      }))
  }
)

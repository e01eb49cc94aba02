// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import type { CatalogueFile } from "../../src/domain/catalogue/file/CatalogueFile.ts"
import * as Testing from "../../src/testing.ts"
import { small } from "../domain/catalogue/file/SmallCatalogue.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { approvedApp, serverClient } from "../support/TestServer.ts"

/** A server with this catalogue, on the database of the test. */
const serverWith = (catalogue: CatalogueFile) =>
  Layer.fresh(Layer.merge(Testing.layer(TestDatabase.patient, catalogue), HttpServer.layerServices))

/** Same catalogue with a scope more, which an operation needs. */
const withDeals = (file: CatalogueFile, level: string): CatalogueFile => ({
  ...file,
  scopes: [...file.scopes, { name: "deals", level, access: "read", title: "See deals", covers: "Lists deals." }],
  operations: [...file.operations, { method: "GET", path: "/api/deals", access: "scope", scope: "deals" }]
})

const statusOfDeals = Effect.fnUntraced(function*(accessToken: unknown) {
  const { ask } = yield* serverClient
  const headers = {
    "x-original-method": "GET",
    "x-original-uri": "/api/deals",
    authorization: `Bearer ${accessToken}`
  }
  return (yield* ask("/v2/auth/oauth2/check/nginx", { headers })).status
})

layer(TestDatabase.layer, { timeout: "2 minutes" })("A roll-back", (it) => {
  it.effect.each([
    { of: "a catalogue", old: small, level: "own", profile: "account.read" },
    {
      of: "a release, whose built-in catalogue was another one",
      old: builtInFile(),
      level: "user",
      profile: "PROFILE_READ"
    }
  ])(
    "of $of leaves grants their scopes, which cover nothing until they are known again",
    ({ level, old, profile }) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM catalogues`
        const next = withDeals(old, level)

        const { app, tokens } = yield* Effect.gen(function*() {
          const app = yield* approvedApp({ scopes: [profile, "deals"] })
          const tokens = yield* app.tokens()
          assert.strictEqual(yield* statusOfDeals(tokens["access_token"]), 200)
          return { app, tokens }
        }).pipe(Effect.provide(serverWith(next)))

        const refreshed = yield* Effect.gen(function*() {
          const { me, token } = yield* serverClient
          assert.strictEqual(yield* statusOfDeals(tokens["access_token"]), 403)
          assert.strictEqual((yield* me(tokens["access_token"])).status, 200)
          const { json, status } = yield* token(app.refreshOf(tokens["refresh_token"]))
          assert.deepStrictEqual([status, json["scope"]], [200, `${profile} deals`])
          assert.strictEqual((yield* me(json["access_token"])).status, 200)
          assert.strictEqual(yield* statusOfDeals(json["access_token"]), 403)
          // An edit takes it away from nobody, and nobody gets it.
          const registry = yield* ClientRegistry
          const edited = yield* registry.edit(app.owner, app.client.id, { purpose: "Another one.", scopes: [profile] })
          assert.deepStrictEqual(edited.scopes, [profile, "deals"])
          const adds = yield* Effect.flip(registry.edit(app.owner, app.client.id, { scopes: [profile, "deals"] }))
          assert.strictEqual(adds._tag, "BadRequest")
          const trail = (yield* (yield* AuditLog).list({ actor: "slotkey" })).map(({ action }) => action)
          assert.includeMembers(trail, ["catalogue.announced", "catalogue.finished"])
          return json
        }).pipe(Effect.provide(serverWith(old)))

        yield* Effect.gen(function*() {
          const { token } = yield* serverClient
          assert.strictEqual(yield* statusOfDeals(refreshed["access_token"]), 200)
          const { json } = yield* token(app.refreshOf(refreshed["refresh_token"]))
          assert.strictEqual(json["scope"], `${profile} deals`)
          assert.strictEqual(yield* statusOfDeals(json["access_token"]), 200)
        }).pipe(Effect.provide(serverWith(next)))
      })
  )
})

import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { eventually } from "../../../support/Eventually.ts"
import { isServer } from "../../../support/TestDatabase.ts"
import { assertRefused, layer as server } from "../../../support/TestServer.ts"
import { legacyApp } from "../Scenario.ts"
import { jsonLines, listenTo, token, unique } from "./Scenario.ts"

/** A migrated app, the code of a user who authorized it again, and a file with a refresh token of that user. */
const cutOver = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const imports = yield* LegacyImport
  const app = yield* legacyApp
  const user = yield* app.user
  const saved = yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
  assert.strictEqual(saved.status, 200)
  const code = (yield* app.authorize(user, "PROFILE_READ")).get("code") ?? ""
  const refreshToken = `v1.${unique()}-of-old-server`
  const file = jsonLines({ client_id: app.id, refresh_tokens: [token(refreshToken, user.id)] })
  return {
    exchange: app.exchange(code),
    apply: (progress?: (step: string) => Effect.Effect<void>) =>
      listenTo(imports.apply(Stream.make(file), "cli"), progress),
    /** Asserts that the user has the one grant that came from the code. */
    assertOneGrant: Effect.gen(function*() {
      assertRefused(yield* app.refresh(refreshToken), 400, "invalid_grant")
      const grants = yield* sql`SELECT scopes FROM grants WHERE client_id = ${app.id} AND revoked_at IS NULL`
      assert.deepStrictEqual(grants, [{ scopes: ["PROFILE_READ"] }])
    })
  }
})

layer(server(), { timeout: 60_000 })("A user who authorizes a migrated app anew", (it) => {
  it.effect("after a file was read, and before it is written, keeps the new grant alone", () =>
    Effect.gen(function*() {
      const { apply, assertOneGrant, exchange } = yield* cutOver
      const imported = yield* apply((step) => step === "lines read" ? Effect.asVoid(exchange) : Effect.void)
      assert.strictEqual(
        imported.findings.at(-1)?.text,
        "a refresh token is left out: its user has authorized the app anew since the scopes were saved"
      )
      yield* assertOneGrant
    }))

  it.effect("before the scopes were saved, and exchanges the code after that, has authorized nothing anew", () =>
    Effect.gen(function*() {
      const imports = yield* LegacyImport
      const app = yield* legacyApp
      const user = yield* app.user
      const before = (yield* app.connect(user)).json["refresh_token"]
      const code = (yield* app.authorize(user)).get("code") ?? ""
      yield* app.owner.call("PATCH", app.path, { scopes: ["PROFILE_READ"], breakOldUrls: true })
      assert.strictEqual((yield* app.exchange(code)).status, 200)
      assert.strictEqual((yield* app.refresh(before)).status, 200)
      const refreshToken = `v1.${unique()}-of-old-server`
      const file = jsonLines({ client_id: app.id, refresh_tokens: [token(refreshToken, user.id)] })
      assert.strictEqual((yield* listenTo(imports.apply(Stream.make(file), "cli"))).refreshTokens, 1)
      assert.strictEqual((yield* app.refresh(refreshToken)).status, 200)
    }))

  // The embedded database serves one transaction at a time.
  it.effect.skipIf(!isServer)(
    "while the imported grant is being written keeps the new grant alone",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { apply, assertOneGrant, exchange } = yield* cutOver
        const isWaiting = (sessions: number) =>
          Effect.map(
            sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
            (rows) => rows.length >= sessions
          )
        const [locked, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holder = yield* sql`LOCK TABLE imported_refresh_tokens IN EXCLUSIVE MODE`.pipe(
          Effect.andThen(Deferred.succeed(locked, undefined)),
          Effect.andThen(Deferred.await(done)),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(locked)
        // The import has opened the grant, and cannot add the token to it yet.
        const importing = yield* Effect.forkChild(apply())
        yield* TestClock.withLive(eventually(isWaiting(1)))
        const exchanging = yield* Effect.forkChild(exchange)
        yield* TestClock.withLive(
          eventually(Effect.map(isWaiting(2), (waits) => waits || exchanging.pollUnsafe() !== undefined))
        )
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(holder)
        assert.strictEqual((yield* Fiber.join(importing)).refreshTokens, 1)
        assert.strictEqual((yield* Fiber.join(exchanging)).status, 200)
        yield* assertOneGrant
      })
  )
})

// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { publication } from "../../../src/core/keys/KeyRing.ts"
import { KeyRotation } from "../../../src/core/keys/KeyRotation.ts"
import { KeyServices } from "../../../src/core/keys/KeyServices.ts"
import { MacKeys } from "../../../src/core/keys/MacKeys.ts"
import { MasterKey } from "../../../src/core/keys/MasterKey.ts"
import { RefreshKeys } from "../../../src/core/keys/RefreshKeys.ts"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import { GrantId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { clientId, userId, writeAccessToken } from "../tokens/Fixture.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64url")

const node = (env: Record<string, string>) =>
  Layer.fresh(
    AccessTokens.layer.pipe(
      Layer.provideMerge(KeyServices),
      Layer.provideMerge(AuditLog.layer),
      Layer.provide(AppConfig.layerTest(env))
    )
  )

const accessToken = {
  userId,
  clientId,
  grantId: GrantId.make("018f0000-0000-7000-8000-000000000000"),
  scopes: ["PROFILE_READ"],
  generation: 0
} as const

const signing = Effect.gen(function*() {
  const now = yield* DateTime.now
  return [
    (yield* SigningKeys).signing(now).id,
    (yield* MacKeys).signing(now).id,
    (yield* RefreshKeys).signing(now).id
  ]
})

layer(TestDatabase.layer)("Key rotation", (it) => {
  it.effect("creates one next key for each purpose when keys are due, and leaves entries in the trail", () =>
    Effect.gen(function*() {
      const rotation = yield* KeyRotation
      const before = yield* signing
      assert.deepStrictEqual(yield* rotation.rotateDue("worker"), [])
      yield* TestClock.adjust("1 day")
      const runs = yield* Effect.all([rotation.rotateDue("worker"), rotation.rotateDue("worker")], { concurrency: 2 })
      const made = runs.flat()
      assert.deepStrictEqual(made.map(({ purpose }) => purpose).sort(), [
        "access-token",
        "access-token-mac",
        "refresh-token"
      ])
      assert.deepStrictEqual(yield* rotation.rotate("cli"), [])
      assert.deepStrictEqual(yield* signing, before)
      yield* TestClock.adjust(publication)
      assert.sameMembers(yield* signing, made.map(({ id }) => id))
      const trail = yield* (yield* AuditLog).list({})
      assert.sameMembers(trail.map(({ details }) => details["id"]), made.map(({ id }) => id))
    }).pipe(Effect.provide(node({ MASTER_KEY: key(1), KEY_LIFETIME: "1 day" }))))

  it.effect("replaces the keys of access tokens at once after a leak, and leaves refresh tokens alone", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const [leaked, leakedMac, kept] = yield* signing
      const old = yield* writeAccessToken(accessToken)
      yield* tokens.verify(old)
      const { id } = yield* Effect.provide(
        Effect.flatMap(KeyRotation, (rotation) => rotation.replaceSigningKeys("cli")),
        node({ MASTER_KEY: key(1) })
      )
      yield* (yield* SigningKeys).reload
      yield* (yield* MacKeys).reload
      const [replaced, replacedMac, refresh] = yield* signing
      assert.deepStrictEqual([replaced, refresh], [id, kept])
      assert.notStrictEqual(id, leaked)
      assert.notStrictEqual(replacedMac, leakedMac)
      assert.strictEqual((yield* Effect.flip(tokens.verify(old)))._tag, "InvalidToken")
      yield* tokens.verify(yield* writeAccessToken(accessToken))
    }).pipe(Effect.provide(node({ MASTER_KEY: key(1) }))))

  it.effect("of the master key seals all keys anew, while servers with the previous one go on", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* signing
      const sealed = Effect.map(
        sql<{ encryptedKey: string }>`SELECT encrypted_key FROM server_keys ORDER BY id`,
        (rows) => rows.map(({ encryptedKey }) => encryptedKey)
      )
      const old = yield* sealed
      // A secret of another room is sealed as well.
      const master = yield* MasterKey
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
        VALUES ('sealer', 'sealer@slotkey.test', 'sealer', 'Sealer', 'user', ${now})`
      yield* sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes,
          submitted_at, created_at, updated_at)
        VALUES ('sealed', 'sealer', 'public', 'approved', 'App', 'Test', 'https://app.test', '{https://app.test/cb}',
          '{PROFILE_READ}', ${now}, ${now}, ${now})`
      yield* sql`INSERT INTO event_endpoints (client_id, url, secret, secret_at, created_at)
        VALUES ('sealed', 'https://app.test/events', ${yield* master.seal(Buffer.from("whsec_x"))}, ${now}, ${now})`
      const renew = Effect.flatMap(KeyRotation, (rotation) => rotation.rotateMaster("cli")).pipe(
        Effect.provide(node({ MASTER_KEY: key(2), MASTER_KEY_PREVIOUS: key(1) }))
      )
      assert.strictEqual(yield* renew, old.length + 1)
      const [endpoint] = yield* sql<{ secret: string }>`SELECT secret FROM event_endpoints`
      const opened = yield* Effect.flatMap(MasterKey, ({ unseal }) => unseal(endpoint?.secret ?? "")).pipe(
        Effect.provide(node({ MASTER_KEY: key(2) }))
      )
      assert.strictEqual(Buffer.from(Redacted.value(opened)).toString(), "whsec_x")
      const anew = yield* sealed
      assert.strictEqual(new Set([...old, ...anew]).size, 2 * old.length)
      assert.strictEqual(yield* renew, old.length + 1)
      assert.deepStrictEqual(yield* sealed, anew)
      yield* (yield* SigningKeys).reload
      assert.deepStrictEqual(yield* signing, before)
      assert.deepStrictEqual(yield* Effect.provide(signing, node({ MASTER_KEY: key(2) })), before)
      const error = yield* Effect.flip(Effect.scoped(Layer.build(node({ MASTER_KEY: key(1) }))))
      assert.include(error.message, "another master key")
    }).pipe(Effect.provide(node({ MASTER_KEY: key(1) }))))
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createLocalJWKSet, jwtVerify } from "jose"
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { accessTokenLifetime } from "../../../src/core/keys/AccessTokenLifetime.ts"
import { publication } from "../../../src/core/keys/KeyRing.ts"
import { KeyServices } from "../../../src/core/keys/KeyServices.ts"
import { MasterKey } from "../../../src/core/keys/MasterKey.ts"
import { RefreshKeys } from "../../../src/core/keys/RefreshKeys.ts"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import * as RefreshToken from "../../../src/core/tokens/RefreshToken.ts"
import { GrantId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { clientId, userId, writeAccessToken, writeRefreshToken } from "../tokens/Fixture.ts"

const node = (env: Record<string, string> = {}) =>
  Layer.fresh(AccessTokens.layer.pipe(
    Layer.provideMerge(KeyServices),
    Layer.provide(AuditLog.layer),
    Layer.provide(AppConfig.layerTest({ GRANT_IDLE_LIFETIME: "2 hours", ...env }))
  ))

const token = {
  userId,
  clientId,
  grantId: GrantId.make("018f0000-0000-7000-8000-000000000000"),
  scopes: ["BOOKING_READ", "PROFILE_READ"]
} as const

const jwks = Effect.gen(function*() {
  const keys = yield* SigningKeys
  return keys.live(yield* DateTime.now).map(({ publicJwk }) => publicJwk ?? assert.fail("no public key"))
})

/** As a resource server verifies that has just the published keys. */
const verifyOffline = Effect.fnUntraced(function*(text: string) {
  const keys = createLocalJWKSet({ keys: yield* jwks })
  const currentDate = DateTime.toDateUtc(yield* DateTime.now)
  return yield* Effect.tryPromise(() =>
    jwtVerify(text, keys, {
      currentDate,
      typ: "at+jwt",
      issuer: "https://slotkey.test",
      audience: "https://slotkey.test"
    })
  )
})

layer(TestDatabase.layer)("Access tokens (RFC 9068)", (it) => {
  it.effect.each(["ES256", "RS256", "EdDSA"])(
    "are JWTs that the published keys verify: %s",
    (algorithm) =>
      Effect.gen(function*() {
        const keys = yield* SigningKeys
        yield* TestClock.adjust(publication)
        yield* keys.reload
        yield* TestClock.setTime(Math.ceil((yield* DateTime.now).epochMilliseconds / 1000) * 1000)
        const now = DateTime.toEpochMillis(yield* DateTime.now) / 1000
        const { payload, protectedHeader } = yield* verifyOffline(yield* writeAccessToken(token))
        assert.strictEqual(protectedHeader.alg, algorithm)
        const { jti, ...claims } = payload
        assert.isString(jti)
        assert.deepStrictEqual(claims, {
          iss: "https://slotkey.test",
          sub: userId,
          aud: "https://slotkey.test",
          client_id: clientId,
          iat: now,
          exp: now + 1800,
          scope: "BOOKING_READ PROFILE_READ",
          grant_id: token.grantId
        })
      }).pipe(Effect.provide(node({ ACCESS_TOKEN_ALGORITHM: algorithm })))
  )

  it.effect("of a legacy grant say that nothing restricts them", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const text = yield* writeAccessToken({ ...token, scopes: null })
      const { payload } = yield* verifyOffline(text)
      assert.strictEqual(payload["unrestricted"], true)
      assert.notProperty(payload, "scope")
      assert.isNull((yield* tokens.verify(text)).scopes)
    }).pipe(Effect.provide(node())))

  it.effect("are valid for 30 minutes and not a second longer", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const text = yield* writeAccessToken(token)
      yield* TestClock.adjust("1799 seconds")
      assert.strictEqual((yield* tokens.verify(text)).grantId, token.grantId)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(tokens.verify(text))).reason, "ERR_JWT_EXPIRED")
    }).pipe(Effect.provide(node())))

  it.effect("of anybody else are refused", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const text = yield* writeAccessToken(token)
      const [header, body, signature] = text.split(".")
      const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt" })).toString("base64url")
      const other = yield* Effect.provide(
        writeAccessToken(token),
        node({ ISSUER: "https://other.test" })
      )
      for (
        const forged of [
          "",
          "a.b.c",
          `${header}.${body}.`,
          `${unsigned}.${body}.`,
          `${header}.${signature}.${body}`,
          other
        ]
      ) {
        yield* Effect.flip(tokens.verify(forged))
      }
    }).pipe(Effect.provide(node())))
})

layer(TestDatabase.layer)("Signing keys", (it) => {
  it.effect("are one when two nodes start at once", () =>
    Effect.gen(function*() {
      const id = Effect.gen(function*() {
        const keys = yield* SigningKeys
        return keys.signing(yield* DateTime.now).id
      })
      const [one, two] = yield* Effect.all([Effect.provide(id, node()), Effect.provide(id, node())], { concurrency: 2 })
      assert.strictEqual(one, two)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT id FROM server_keys`
      assert.strictEqual(rows.length, 2)
    }))

  it.effect("rotate: published before first use, kept until the last token of theirs has died", () =>
    Effect.gen(function*() {
      const keys = yield* SigningKeys
      const tokens = yield* AccessTokens
      const first = keys.signing(yield* DateTime.now).id
      const next = Option.getOrThrow(yield* keys.rotateAfter(Duration.zero))
      assert.isTrue(Option.isNone(yield* keys.rotateAfter(Duration.zero)))
      assert.sameMembers((yield* jwks).map(({ kid }) => kid), [first, next.id])
      yield* TestClock.adjust(Duration.subtract(publication, Duration.seconds(1)))
      assert.strictEqual(keys.signing(yield* DateTime.now).id, first)
      const last = yield* writeAccessToken(token)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(keys.signing(yield* DateTime.now).id, next.id)
      yield* TestClock.adjust("1798 seconds")
      assert.strictEqual(yield* keys.purge, 0)
      yield* verifyOffline(last)
      yield* tokens.verify(last)
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual((yield* jwks).map(({ kid }) => kid), [next.id])
      assert.strictEqual(yield* keys.purge, 1)
      assert.isTrue(Option.isNone(yield* keys.rotateAfter(Duration.hours(1))))
      assert.isTrue(Option.isSome(yield* keys.rotateAfter(accessTokenLifetime)))
    }).pipe(Effect.provide(node())))

  it.effect("of another node are read before they sign", () =>
    Effect.gen(function*() {
      const keys = yield* SigningKeys
      yield* TestClock.adjust(publication)
      yield* keys.reload
      const next = yield* Effect.provide(
        Effect.flatMap(SigningKeys, (keys) => keys.rotateAfter(Duration.zero)),
        node()
      )
      yield* keys.reload
      assert.notStrictEqual(keys.signing(yield* DateTime.now).id, Option.getOrThrow(next).id)
      yield* TestClock.adjust(publication)
      assert.strictEqual(keys.signing(yield* DateTime.now).id, Option.getOrThrow(next).id)
    }).pipe(Effect.provide(node())))
})

layer(TestDatabase.layer)("Signing keys", (it) => {
  it.effect("of another node are read although the database was away for a while", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* SigningKeys
      const known = Effect.map(jwks, (all) => all.length)
      // Each look waits for the database, so that what was asked of it before has its turn.
      const eventually = (count: number) =>
        sql`SELECT 1`.pipe(Effect.andThen(known), Effect.repeat({ until: (found) => found === count, times: 1000 }))

      yield* sql`ALTER TABLE server_keys RENAME TO away`
      yield* TestClock.adjust("1 minute")
      yield* Effect.repeat(sql`SELECT 1`, { times: 100 })
      yield* sql`ALTER TABLE away RENAME TO server_keys`
      const before = yield* known
      yield* TestClock.adjust(publication)
      yield* Effect.provide(Effect.flatMap(SigningKeys, (other) => other.rotateAfter(Duration.zero)), node())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* eventually(before + 1), before + 1)
      assert.isAbove(keys.live(yield* DateTime.now).length, 1)
    }).pipe(Effect.provide(node())))
})

layer(TestDatabase.layer)("Refresh keys", (it) => {
  it.effect("rotate: what was signed under the old key stays readable and reads the same", () =>
    Effect.gen(function*() {
      const keys = yield* RefreshKeys
      const before = yield* DateTime.now
      const refreshToken = { grantId: token.grantId, handle: Buffer.alloc(16, 1), generation: 3 }
      const write = (at: DateTime.Utc) => {
        const { id, key } = keys.signing(at)
        return writeRefreshToken(refreshToken, id, key)
      }
      const text = write(before)
      yield* keys.rotateAfter(Duration.zero)
      yield* TestClock.adjust(publication)
      const now = yield* DateTime.now
      assert.notStrictEqual(write(now), text)
      assert.strictEqual(write(before), text)
      assert.deepStrictEqual(RefreshToken.read(text, (id) => keys.find(id, now)?.key), refreshToken)
      assert.deepStrictEqual(RefreshToken.read(write(now), (id) => keys.find(id, now)?.key), refreshToken)
      yield* TestClock.adjust("3 hours")
      const later = yield* DateTime.now
      assert.isUndefined(RefreshToken.read(text, (id) => keys.find(id, later)?.key))
    }).pipe(Effect.provide(node())))

  it.effect("make a token that no changed byte survives", () =>
    Effect.gen(function*() {
      const keys = yield* RefreshKeys
      const now = yield* DateTime.now
      const { id, key } = keys.signing(now)
      const text = writeRefreshToken({ grantId: token.grantId, handle: Buffer.alloc(16, 1), generation: 0 }, id, key)
      assert.match(text, /^slk_refresh_[A-Za-z0-9_-]{81}$/)
      for (let at = 0; at < text.length; at++) {
        const changed = text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1)
        assert.isUndefined(RefreshToken.read(changed, (id) => keys.find(id, now)?.key))
      }
    }).pipe(Effect.provide(node())))
})

describe("The master key", () => {
  const sealAndUnseal = Effect.gen(function*() {
    const master = yield* MasterKey
    const sealed = yield* master.seal(Buffer.from("secret"))
    assert.notInclude(sealed, "secret")
    return { sealed, text: Buffer.from(Redacted.value(yield* master.unseal(sealed))).toString() }
  })
  const embedded = (folder: string) =>
    Layer.fresh(MasterKey.layer.pipe(
      Layer.provide(
        Layer.effect(AppConfig, Effect.map(AppConfig, (config) => ({ ...config, masterKey: Option.none() })))
      ),
      Layer.provide(AppConfig.layerTest({ DATA_DIR: folder }))
    ))

  it.effect("of embedded mode is made once, for nobody else to read", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      yield* Effect.all([
        Effect.provide(sealAndUnseal, embedded(folder)),
        Effect.provide(sealAndUnseal, embedded(folder))
      ], { concurrency: 2 })
      const file = join(folder, "master.key")
      const key = readFileSync(file, "utf8")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      yield* Effect.provide(sealAndUnseal, embedded(folder))
      assert.strictEqual(readFileSync(file, "utf8"), key)
      chmodSync(file, 0o600)
      writeFileSync(file, "too short")
      const error = yield* Effect.flip(Effect.provide(sealAndUnseal, embedded(folder)))
      assert.include(error.message, "does not hold 32 bytes")
    }))

  it.effect("of embedded mode can be renewed while a server runs", () =>
    Effect.gen(function*() {
      const folder = yield* TestDatabase.temporaryFolder
      yield* Effect.gen(function*() {
        const master = yield* MasterKey
        const { sealed } = yield* sealAndUnseal
        yield* Effect.provide(Effect.flatMap(MasterKey, (other) => other.renew), embedded(folder))
        assert.isFalse(yield* master.isCurrent(sealed))
        assert.strictEqual(Buffer.from(Redacted.value(yield* master.unseal(sealed))).toString(), "secret")
        const { sealed: anew } = yield* sealAndUnseal
        assert.isTrue(yield* master.isCurrent(anew))
        yield* master.forgetPrevious
        assert.include((yield* Effect.flip(master.unseal(sealed))).message, "another master key")
      }).pipe(Effect.provide(embedded(folder)))
    }))

  it.effect("of the environment goes over to the next with the one before it", () =>
    Effect.gen(function*() {
      const key = (byte: number) => Buffer.alloc(32, byte).toString("base64url")
      const from = (env: Record<string, string>) =>
        Layer.fresh(MasterKey.layer.pipe(Layer.provide(AppConfig.layerTest(env))))
      const { sealed } = yield* Effect.provide(sealAndUnseal, from({ MASTER_KEY: key(1) }))
      const unseal = Effect.flatMap(MasterKey, (master) => master.unseal(sealed))
      yield* Effect.provide(unseal, from({ MASTER_KEY: key(2), MASTER_KEY_PREVIOUS: key(1) }))
      yield* Effect.flip(Effect.provide(unseal, from({ MASTER_KEY: key(2) })))
      const renew = Effect.flatMap(MasterKey, (master) => master.renew)
      yield* Effect.provide(renew, from({ MASTER_KEY: key(2), MASTER_KEY_PREVIOUS: key(1) }))
      const error = yield* Effect.flip(Effect.provide(renew, from({ MASTER_KEY: key(1) })))
      assert.include(error.message, "MASTER_KEY_PREVIOUS")
    }))
})

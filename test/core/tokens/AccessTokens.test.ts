// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { publication } from "../../../src/core/keys/KeyRing.ts"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { node, token, verifyOffline } from "../keys/Scenario.ts"
import { clientId, userId, writeAccessToken } from "./Fixture.ts"

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
        const { jti, mac, ...claims } = payload
        assert.isString(jti)
        assert.isString(mac)
        assert.deepStrictEqual(claims, {
          iss: "https://slotkey.test",
          sub: userId,
          aud: "https://slotkey.test",
          client_id: clientId,
          iat: now,
          exp: now + 1800,
          scope: "BOOKING_READ PROFILE_READ",
          grant_id: token.grantId,
          gen: token.generation
        })
      }).pipe(Effect.provide(node({ ACCESS_TOKEN_ALGORITHM: algorithm })))
  )

  it.effect("of a legacy grant say that no scope restricts them", () =>
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

  it.effect("that are forged, or from another issuer, are refused", () =>
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

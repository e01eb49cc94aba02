import { assert } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { createLocalJWKSet, jwtVerify } from "jose"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { KeyServices } from "../../../src/core/keys/KeyServices.ts"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { AccessTokens } from "../../../src/core/tokens/AccessTokens.ts"
import { GrantId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { clientId, userId } from "../tokens/Fixture.ts"

/** A server process that reads the keys by itself, on the database of the test. */
export const node = (env: Record<string, string> = {}) =>
  Layer.fresh(AccessTokens.layer.pipe(
    Layer.provideMerge(KeyServices),
    Layer.provide(AuditLog.layer),
    Layer.provide(AppConfig.layerTest({ GRANT_IDLE_LIFETIME: "1 hour", GRANT_LIFETIME: "2 hours", ...env }))
  ))

/** Claims of the access token that the tests issue. */
export const token = {
  userId,
  clientId,
  grantId: GrantId.make("018f0000-0000-7000-8000-000000000000"),
  scopes: ["BOOKING_READ", "PROFILE_READ"],
  generation: 7
} as const

/** Keys that the server publishes. */
export const jwks = Effect.gen(function*() {
  const keys = yield* SigningKeys
  return keys.live().map(({ publicJwk }) => publicJwk ?? assert.fail("no public key"))
})

/** Verifies an access token as a resource server does that has nothing but the published keys. */
export const verifyOffline = Effect.fnUntraced(function*(text: string) {
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

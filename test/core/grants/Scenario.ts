import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SecretCheck } from "../../../src/core/clients/secrets/SecretCheck.ts"
import type { Redemption } from "../../../src/core/grants/CodeRedemption.ts"
import { CodeStore } from "../../../src/core/grants/CodeStore.ts"
import { FirstUses } from "../../../src/core/grants/FirstUses.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { StoredGrants } from "../../../src/core/grants/GrantServices.ts"
import type { Rotation } from "../../../src/core/grants/RefreshRotation.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import type { GrantedScopes } from "../../../src/domain/scopes/Scope.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import {
  challenge,
  clientId,
  newGrantId,
  otherClientId,
  redirectUri,
  secretDigestOf,
  seed,
  sha256,
  userId
} from "../tokens/Fixture.ts"

/** Codes and grants with short lifetimes, on a database of their own. */
export const Services = Layer.merge(FirstUses.layer, StoredGrants).pipe(
  Layer.provideMerge(SecretCheck.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(
    AppConfig.layerTest({ GRANT_IDLE_LIFETIME: "2 hours", GRANT_LIFETIME: "10 hours", REFRESH_GRACE_MAX: "1 hour" })
  )
)

const secretDigest = secretDigestOf(clientId)

/** Credentials of another client. */
export const other = { clientId: otherClientId, secretDigest: secretDigestOf(otherClientId) }

/** Issues a code and answers its digest. */
export const issue = Effect.fnUntraced(function*(
  scopes: GrantedScopes = ["BOOKING_READ", "PROFILE_READ"],
  terms: Partial<Parameters<CodeStore["Service"]["issue"]>[0]> = {}
) {
  yield* seed
  const codes = yield* CodeStore
  const code = yield* codes.issue({ clientId, userId, scopes, redirectUri, codeChallenge: challenge, ...terms })
  return Credential.digest(Redacted.value(code))
})

/** A request to redeem the code of this digest, right unless it is changed. */
export const redemption = Effect.fnUntraced(function*(digest: Uint8Array, changes: Partial<Redemption> = {}) {
  const grantId = yield* newGrantId
  const handleDigest = sha256(grantId)
  return { digest, clientId, secretDigest, redirectUri, codeChallenge: challenge, grantId, handleDigest, ...changes }
})

/** Opens a grant and answers its id. */
export const openGrant = Effect.fnUntraced(function*(scopes?: GrantedScopes) {
  const grants = yield* Grants
  const redeemed = yield* grants.redeem(yield* redemption(yield* issue(scopes)))
  assert(redeemed._tag === "Redeemed")
  return redeemed.grantId
})

/** A request to rotate the refresh token of this generation that was never held up, right unless it is changed. */
export const rotation = (
  grantId: Rotation["grantId"],
  generation: number,
  changes: Partial<Rotation> = {}
): Rotation => ({
  grantId,
  generation,
  clientId,
  secretDigest,
  handleDigest: sha256(grantId),
  scopes: null,
  receivedAt: farAway,
  ...changes
})

/** A monotonic time that no test reaches, so that no request seems to have waited. */
const farAway = 2n ** 62n

export const isLive = (grantId: Rotation["grantId"]) =>
  Effect.gen(function*() {
    return Option.isSome(yield* (yield* Grants).findLive(grantId))
  })

export const usedGeneration = Effect.fnUntraced(function*(grantId: Rotation["grantId"]) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly n: number }>`SELECT used_generation AS n FROM grants WHERE id = ${grantId}`
  return row?.n
})

/** Waits until the use of this generation stands in the grant's row. */
export const noted = (grantId: Rotation["grantId"], generation: number) =>
  secondsUntil(Effect.map(usedGeneration(grantId), (n) => n === generation))

/**
 * Sets the clock forward until a use stands in its row, and answers by how many seconds. It is written in the
 * background within a second, or two if the writer was still busy when the clock was set.
 */
export const secondsUntil = Effect.fnUntraced(function*<E, R>(isNoted: Effect.Effect<boolean, E, R>) {
  const soon = isNoted.pipe(
    Effect.repeat({ until: (yes) => yes, schedule: Schedule.spaced("20 millis"), times: 250 }),
    TestClock.withLive
  )
  for (let seconds = 1; seconds <= 10; seconds++) {
    yield* TestClock.adjust("1 second")
    if (yield* soon) return seconds
  }
  return yield* Effect.die(new Error("the use was never noted"))
})

// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SecretCheck } from "../../../src/core/clients/SecretCheck.ts"
import type { Redemption } from "../../../src/core/grants/CodeRedemption.ts"
import { CodeStore } from "../../../src/core/grants/CodeStore.ts"
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

const secretDigest = secretDigestOf(clientId)
const other = { clientId: otherClientId, secretDigest: secretDigestOf(otherClientId) }

const Services = StoredGrants.pipe(
  Layer.provideMerge(SecretCheck.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(AppConfig.layerTest({ GRANT_IDLE_LIFETIME: "2 hours", GRANT_LIFETIME: "10 hours" }))
)

const issue = Effect.fnUntraced(function*(scopes: GrantedScopes = ["BOOKING_READ", "PROFILE_READ"]) {
  yield* seed
  const codes = yield* CodeStore
  const code = yield* codes.issue({ clientId, userId, scopes, redirectUri, codeChallenge: challenge })
  return Credential.digest(Redacted.value(code))
})

const redemption = Effect.fnUntraced(function*(digest: Uint8Array, changes: Partial<Redemption> = {}) {
  const grantId = yield* newGrantId
  const handleDigest = sha256(grantId)
  return { digest, clientId, secretDigest, redirectUri, codeChallenge: challenge, grantId, handleDigest, ...changes }
})

const open = Effect.fnUntraced(function*(scopes?: GrantedScopes) {
  const grants = yield* Grants
  const redeemed = yield* grants.redeem(yield* redemption(yield* issue(scopes)))
  assert(redeemed._tag === "Redeemed")
  return redeemed.grantId
})

const rotation = (grantId: Rotation["grantId"], generation: number, changes: Partial<Rotation> = {}): Rotation => ({
  grantId,
  generation,
  clientId,
  secretDigest,
  handleDigest: sha256(grantId),
  scopes: null,
  ...changes
})

const isLive = (grantId: Rotation["grantId"]) =>
  Effect.gen(function*() {
    return Option.isSome(yield* (yield* Grants).findLive(grantId))
  })

layer(Services)("Codes", (it) => {
  it.effect("become a grant once, however many try at the same time", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.flatMap(redemption(digest), grants.redeem),
        { concurrency: "unbounded" }
      )
      const redeemed = outcomes.filter((outcome) => outcome._tag === "Redeemed")
      assert.strictEqual(redeemed.length, 1)
      assert.deepStrictEqual(redeemed[0]?.scopes, ["BOOKING_READ", "PROFILE_READ"])
      for (const outcome of outcomes) {
        if (outcome._tag === "Replayed") assert.strictEqual(outcome.grantId, redeemed[0]?.grantId)
        else assert.strictEqual(outcome, redeemed[0])
      }
    }))

  it.effect("are not spent by a request that does not match, even in one batch with one that does", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      const wrong: ReadonlyArray<Partial<Redemption>> = [
        other,
        { redirectUri: "https://app.test/other" },
        { codeChallenge: "wrong" },
        { codeChallenge: null },
        { digest: sha256("unknown") }
      ]
      const unproven = [{ secretDigest: null }, { secretDigest: other.secretDigest }]
      const requests = yield* Effect.forEach(
        [...unproven, ...wrong, {}, ...wrong],
        (changes) => redemption(digest, changes)
      )
      const outcomes = yield* Effect.forEach(requests, grants.redeem, { concurrency: "unbounded" })
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag), [
        // All in one batch: the code is spent by the time that these are judged.
        ...unproven.map(() => "Replayed" as const),
        ...wrong.map(() => "Refused" as const),
        "Redeemed",
        ...wrong.map(() => "Refused" as const)
      ])
    }))

  it.effect("expire", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* grants.redeem(yield* redemption(digest)))._tag, "Refused")
    }))

  it.effect("end with the connection that they would have opened", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const digest = yield* issue()
      yield* grants.disconnect(userId, clientId)
      assert.strictEqual((yield* grants.redeem(yield* redemption(digest)))._tag, "Refused")
    }))
})

layer(Services)("Grants", (it) => {
  it.effect("rotate once, however many try at the same time, and answer all the same", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* open()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => grants.rotate(rotation(id, 0)),
        { concurrency: "unbounded" }
      )
      const [first, ...others] = outcomes
      assert(first?._tag === "Rotated")
      assert.strictEqual(first.grant.generation, 1)
      for (const outcome of others) assert.deepStrictEqual(outcome, { _tag: "Repeated", grant: first.grant })
      assert.strictEqual((yield* grants.rotate(rotation(id, 1)))._tag, "Rotated")
    }))

  it.effect("know a repeat inside the grace, which counts from the rotation, from a reuse outside", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* open()
      const rotated = yield* grants.rotate(rotation(id, 0))
      assert(rotated._tag === "Rotated")
      const repeated = { _tag: "Repeated", grant: rotated.grant } as const
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0)), repeated)
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0)), repeated)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Reused")
    }))

  it.effect("take the token before the one just replaced for reused", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* open()
      yield* grants.rotate(rotation(id, 0))
      yield* grants.rotate(rotation(id, 1))
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Reused")
    }))

  it.effect("are not moved by a request that does not match, even in one batch with one that does", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* open()
      const wrong: ReadonlyArray<Partial<Rotation>> = [
        other,
        { handleDigest: sha256("wrong") },
        { generation: 7 },
        { scopes: ["PROFILE_READ", "PROFILE_WRITE"] }
      ]
      const requests = [...wrong, {}, ...wrong].map((changes) => rotation(id, 0, changes))
      const outcomes = yield* Effect.forEach(requests, grants.rotate, { concurrency: "unbounded" })
      const refusals = ["Refused", "Refused", "Refused", "ScopeExceeded"] as const
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag), [...refusals, "Rotated", ...refusals])
      assert.isTrue(yield* isLive(id))
      assert.strictEqual((yield* grants.rotate(rotation(id, 1, { scopes: ["PROFILE_READ"] })))._tag, "Rotated")
    }))

  it.effect("are neither opened nor moved for a client that has not shown itself, or may not act", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const sql = yield* SqlClient.SqlClient
      const digest = yield* issue()
      const id = yield* open()
      const unproven = { _tag: "ClientNotAuthenticated" } as const
      for (const shown of [null, other.secretDigest]) {
        assert.deepStrictEqual(yield* grants.redeem(yield* redemption(digest, { secretDigest: shown })), unproven)
        assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0, { secretDigest: shown })), unproven)
      }
      yield* sql`UPDATE clients SET status = 'suspended' WHERE id = ${clientId}`
      assert.deepStrictEqual(yield* grants.redeem(yield* redemption(digest)), unproven)
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0)), unproven)
      yield* sql`UPDATE clients SET status = 'approved' WHERE id = ${clientId}`
      assert.strictEqual((yield* grants.redeem(yield* redemption(digest)))._tag, "Redeemed")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Rotated")
    }))

  it.effect("of a legacy client may be narrowed to any scope", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* open(null)
      const outcome = yield* grants.rotate(rotation(id, 0, { scopes: ["TEAM_PROFILE_READ"] }))
      assert(outcome._tag === "Rotated")
      assert.isNull(outcome.grant.scopes)
    }))

  it.effect("end when idle, whatever the total lifetime", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* open()
      yield* TestClock.adjust("119 minutes")
      yield* grants.rotate(rotation(id, 0))
      yield* TestClock.adjust("119 minutes")
      assert.isTrue(yield* isLive(id))
      yield* TestClock.adjust("1 minute")
      assert.isFalse(yield* isLive(id))
      assert.strictEqual((yield* grants.rotate(rotation(id, 1)))._tag, "Refused")
    }))

  it.effect("end a fixed time after the consent, however often they were refreshed", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* open()
      for (let generation = 0; generation < 7; generation++) {
        yield* TestClock.adjust("85 minutes")
        assert.strictEqual((yield* grants.rotate(rotation(id, generation)))._tag, "Rotated")
      }
      yield* TestClock.adjust("5 minutes")
      assert.isFalse(yield* isLive(id))
    }))

  it.effect("end one by one, by connection and by user", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      yield* grants.disconnect(userId)
      const one = yield* open()
      yield* TestClock.adjust("1 second")
      const two = yield* open()
      assert.deepStrictEqual((yield* grants.listForUser(userId)).map(({ id }) => id), [two, one])
      assert.isTrue(yield* grants.revoke(one, "test"))
      assert.isFalse(yield* grants.revoke(one, "test"))
      assert.isFalse(yield* isLive(one))
      assert.deepStrictEqual((yield* grants.liveFor(userId, clientId)).map(({ id }) => id), [two])
      assert.strictEqual(yield* grants.disconnect(userId, otherClientId), 0)
      assert.strictEqual(yield* grants.disconnect(userId, clientId), 1)
      yield* open()
      assert.strictEqual(yield* grants.disconnect(userId), 1)
      assert.deepStrictEqual(yield* grants.listForUser(userId), [])
    }))
})

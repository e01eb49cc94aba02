import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { FirstUses } from "../../../src/core/grants/FirstUses.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import type { Rotation } from "../../../src/core/grants/RefreshRotation.ts"
import * as WaitingCommits from "../../../src/foundation/database/hosts/WaitingCommits.ts"
import { clientId, otherClientId, sha256, userId } from "../tokens/Fixture.ts"
import { isLive, issue, noted, openGrant, other, redemption, rotation, Services, usedGeneration } from "./Scenario.ts"

layer(Services)("Grants", (it) => {
  it.effect("rotate once, however many requests try at the same time, and all get the same answer", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => grants.rotate(rotation(id, 0)),
        { concurrency: "unbounded" }
      )
      const rotated = outcomes.find((outcome) => outcome._tag === "Rotated")
      assert(rotated !== undefined)
      assert.strictEqual(rotated.grant.generation, 1)
      const others = outcomes.filter((outcome) => outcome !== rotated)
      for (const outcome of others) assert.deepStrictEqual(outcome, { ...rotated, _tag: "Repeated" })
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* grants.rotate(rotation(id, 1)))._tag, "Rotated")
    }))

  it.effect("tell a repeat inside the grace, which counts from the rotation, from a reuse after it", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const uses = yield* FirstUses
      const id = yield* openGrant()
      const rotated = yield* grants.rotate(rotation(id, 0))
      assert(rotated._tag === "Rotated")
      const repeated = (issuedAt: DateTime.Utc) => ({ _tag: "Repeated", grant: rotated.grant, issuedAt }) as const
      uses.note(id, 1)
      yield* noted(id, 1)
      yield* TestClock.adjust("19 seconds")
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0)), repeated(yield* DateTime.now))
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0)), repeated(yield* DateTime.now))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Reused")
    }))

  it.effect("of a confidential client repeat until the successor is used", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const uses = yield* FirstUses
      const id = yield* openGrant()
      yield* grants.rotate(rotation(id, 0))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Repeated")
      uses.note(id, 1)
      yield* noted(id, 1)
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Reused")
    }))

  it.effect("of a confidential client repeat for a set time at most, counted from the rotation", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      const rotated = yield* grants.rotate(rotation(id, 0))
      assert(rotated._tag === "Rotated")
      yield* TestClock.adjust("59 minutes")
      const repeated = yield* grants.rotate(rotation(id, 0))
      assert.deepStrictEqual(repeated, { ...rotated, _tag: "Repeated", issuedAt: yield* DateTime.now })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Reused")
    }))

  it.effect.each([{ kind: "confidential", grace: "short" }, { kind: "public", grace: "until-used" }])(
    "of a $kind client with the grace $grace repeat for the short time only",
    ({ grace, kind }) =>
      Effect.gen(function*() {
        const grants = yield* Grants
        const sql = yield* SqlClient.SqlClient
        const id = yield* openGrant()
        yield* grants.rotate(rotation(id, 0))
        yield* sql`UPDATE clients SET kind = ${kind}, refresh_grace = ${grace} WHERE id = ${clientId}`
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Reused")
        yield* sql`UPDATE clients SET kind = 'confidential', refresh_grace = 'until-used' WHERE id = ${clientId}`
      })
  )

  it.effect("count the grace from when the commit of the rotation came, where it waited for a standby", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const sql = yield* SqlClient.SqlClient
      const wait = yield* WaitingCommits.LastWait
      const id = yield* openGrant()
      yield* sql`UPDATE clients SET refresh_grace = 'short' WHERE id = ${clientId}`
      const now = yield* Clock.currentTimeMillis
      wait.from = now
      wait.until = now + 240_000
      yield* grants.rotate(rotation(id, 0))
      yield* TestClock.adjust("269 seconds")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Repeated")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Reused")

      // A rotation before the wait.
      const other = yield* openGrant()
      wait.from = (yield* Clock.currentTimeMillis) + 1
      wait.until = wait.from + 240_000
      yield* grants.rotate(rotation(other, 0))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* grants.rotate(rotation(other, 0)))._tag, "Reused")
      yield* sql`UPDATE clients SET refresh_grace = 'until-used' WHERE id = ${clientId}`
    }))

  it.effect("catch up with a token that was issued before the database was restored", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      yield* grants.rotate(rotation(id, 0))
      const rotated = yield* grants.rotate(rotation(id, 7))
      assert(rotated._tag === "Rotated")
      assert.strictEqual(rotated.grant.generation, 8)
      const again = yield* grants.rotate(rotation(id, 7))
      assert.deepStrictEqual(again, { ...rotated, _tag: "Repeated" })
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* grants.rotate(rotation(id, 8)))._tag, "Rotated")
      assert.strictEqual((yield* grants.rotate(rotation(id, 1)))._tag, "Reused")
    }))

  it.effect("catch up with the latest of several tokens in one batch, if its client authenticates", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      const wrong: ReadonlyArray<Partial<Rotation>> = [other, { secretDigest: null }, { handleDigest: sha256("wrong") }]
      const outcomes = yield* Effect.forEach(
        [rotation(id, 3), ...wrong.map((changes) => rotation(id, 9, changes)), rotation(id, 4), rotation(id, 4)],
        grants.rotate,
        { concurrency: "unbounded" }
      )
      assert.sameMembers(outcomes.flatMap((outcome) => "grant" in outcome ? [outcome.grant.generation] : []), [5, 5, 5])
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).toSorted(), [
        "ClientNotAuthenticated",
        "Refused",
        "Refused",
        "Repeated",
        "Repeated",
        "Rotated"
      ])
    }))

  it.effect("answer whatever was replaced within the grace with the newest token, however many came between", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      for (const generation of [0, 1, 2]) {
        assert.strictEqual((yield* grants.rotate(rotation(id, generation)))._tag, "Rotated")
        yield* TestClock.adjust("9 seconds")
      }
      yield* TestClock.adjust("2 seconds")
      for (const generation of [0, 1, 2]) {
        const repeated = yield* grants.rotate(rotation(id, generation))
        assert(repeated._tag === "Repeated")
        assert.strictEqual(repeated.grant.generation, 3)
      }
    }))

  it.effect("take what was replaced longer ago than twice the grace for reused, whatever was done since", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      for (const stolen of [0, 29, 31]) {
        for (const isRepeated of [true, false]) {
          const id = yield* openGrant()
          for (let generation = 0; generation <= stolen; generation++) {
            yield* TestClock.adjust("1 second")
            assert.strictEqual((yield* grants.rotate(rotation(id, generation)))._tag, "Rotated")
          }
          let newest = stolen + 1
          for (let second = 1; second < 60; second++) {
            yield* TestClock.adjust("1 second")
            const refreshed = yield* grants.rotate(rotation(id, newest))
            assert(refreshed._tag === "Rotated" || refreshed._tag === "Repeated")
            newest = refreshed.grant.generation
            if (!isRepeated || second >= 30) continue
            assert.strictEqual((yield* grants.rotate(rotation(id, stolen)))._tag, "Repeated")
          }
          yield* TestClock.adjust("1 second")
          assert.strictEqual((yield* grants.rotate(rotation(id, stolen)))._tag, "Reused")
        }
      }
    }))

  it.effect("do not replace within the grace what a repeat has handed out", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      const rotated = yield* grants.rotate(rotation(id, 0))
      assert(rotated._tag === "Rotated")
      const repeated = { ...rotated, _tag: "Repeated" } as const
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0)), repeated)
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 1)), repeated)
      assert.strictEqual(yield* usedGeneration(id), 1)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* grants.rotate(rotation(id, 1)))._tag, "Rotated")
    }))

  it.effect("keep nothing of a repeat by a client that does not authenticate", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      yield* grants.rotate(rotation(id, 0))
      for (const wrong of [{ secretDigest: null }, { secretDigest: other.secretDigest }]) {
        yield* grants.rotate(rotation(id, 0, wrong))
      }
      assert.strictEqual(yield* usedGeneration(id), 0)
      assert.strictEqual((yield* grants.rotate(rotation(id, 1)))._tag, "Rotated")
    }))

  it.effect("judge a request that was held up by the time at which it came", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      yield* grants.rotate(rotation(id, 0))
      yield* TestClock.adjust("1 second")
      const held = { receivedAt: yield* Clock.monotonicTimeNanos }
      yield* TestClock.adjust("1 second")
      yield* grants.rotate(rotation(id, 1))
      yield* TestClock.adjust("1 hour")
      // What it asked for was done by its repeat meanwhile, or by two of them.
      assert.strictEqual((yield* grants.rotate(rotation(id, 1, held)))._tag, "Repeated")
      yield* grants.rotate(rotation(id, 2))
      assert.strictEqual((yield* grants.rotate(rotation(id, 1, held)))._tag, "Refused")
      assert.isTrue(yield* isLive(id))
      // It came when its token was replaced already.
      const late = { receivedAt: yield* Clock.monotonicTimeNanos }
      assert.strictEqual((yield* grants.rotate(rotation(id, 1, late)))._tag, "Reused")
    }))

  it.effect("are not rotated by a request that does not match, even in one batch with one that does", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
      const wrong: ReadonlyArray<Partial<Rotation>> = [
        other,
        { handleDigest: sha256("wrong") },
        { scopes: ["PROFILE_READ", "PROFILE_WRITE"] }
      ]
      const requests = [...wrong, {}, ...wrong].map((changes) => rotation(id, 0, changes))
      const outcomes = yield* Effect.forEach(requests, grants.rotate, { concurrency: "unbounded" })
      const refusals = ["Refused", "Refused", "ScopeExceeded"] as const
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag), [...refusals, "Rotated", ...refusals])
      assert.isTrue(yield* isLive(id))
      assert.strictEqual((yield* grants.rotate(rotation(id, 1, { scopes: ["PROFILE_READ"] })))._tag, "Rotated")
    }))

  it.effect("are neither opened nor rotated for a client that does not authenticate or is not approved", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const sql = yield* SqlClient.SqlClient
      const digest = yield* issue()
      const id = yield* openGrant()
      const unauthenticated = { _tag: "ClientNotAuthenticated" } as const
      for (const sent of [null, other.secretDigest]) {
        assert.deepStrictEqual(yield* grants.redeem(yield* redemption(digest, { secretDigest: sent })), unauthenticated)
        assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0, { secretDigest: sent })), unauthenticated)
      }
      yield* sql`UPDATE clients SET status = 'suspended' WHERE id = ${clientId}`
      assert.deepStrictEqual(yield* grants.redeem(yield* redemption(digest)), unauthenticated)
      assert.deepStrictEqual(yield* grants.rotate(rotation(id, 0)), unauthenticated)
      yield* sql`UPDATE clients SET status = 'approved' WHERE id = ${clientId}`
      assert.strictEqual((yield* grants.redeem(yield* redemption(digest)))._tag, "Redeemed")
      assert.strictEqual((yield* grants.rotate(rotation(id, 0)))._tag, "Rotated")
    }))

  it.effect("of a legacy client may be narrowed to any scope", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant(null)
      const outcome = yield* grants.rotate(rotation(id, 0, { scopes: ["TEAM_PROFILE_READ"] }))
      assert(outcome._tag === "Rotated")
      assert.isNull(outcome.grant.scopes)
    }))

  it.effect("end when idle, whatever the total lifetime", () =>
    Effect.gen(function*() {
      const grants = yield* Grants
      const id = yield* openGrant()
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
      const id = yield* openGrant()
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
      const one = yield* openGrant()
      yield* TestClock.adjust("1 second")
      const two = yield* openGrant()
      assert.deepStrictEqual((yield* grants.listLive(userId)).map(({ id }) => id), [two, one])
      assert.isTrue(yield* grants.revoke(one, "displaced"))
      assert.isFalse(yield* grants.revoke(one, "displaced"))
      assert.isFalse(yield* isLive(one))
      assert.deepStrictEqual((yield* grants.listLive(userId, clientId)).map(({ id }) => id), [two])
      assert.strictEqual(yield* grants.disconnect(userId, otherClientId), 0)
      assert.strictEqual(yield* grants.disconnect(userId, clientId), 1)
      yield* openGrant()
      assert.strictEqual(yield* grants.disconnect(userId), 1)
      assert.deepStrictEqual(yield* grants.listLive(userId), [])
    }))
})

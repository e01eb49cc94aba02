import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { connectionUse } from "../../../src/core/consent/ConnectionUse.ts"
import type { Coverage, GrantUse } from "../../../src/core/usage/Use.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { ClientId, GrantId } from "../../../src/domain/Ids.ts"

const catalogue = builtIn()
const now = DateTime.makeUnsafe("2027-06-16T12:00:00Z")
const before = (days: number) => DateTime.subtract(now, { days })

const Days = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))
const Known = Schema.Struct({
  given: Days,
  scopes: Schema.NullOr(
    Schema.NonEmptyArray(Schema.Literals(["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ", "ORG_BOOKING_READ"]))
  ),
  isImported: Schema.Boolean,
  isCurrent: Schema.Boolean,
  calls: Schema.Array(Schema.Struct({
    days: Days,
    need: Schema.Literals(["BOOKING_READ", "PROFILE_READ", "BOOKING_READ PROFILE_READ", "", "*"])
  }))
})

const useOf = (
  grants: ReadonlyArray<typeof Known.Type>,
  { isCounting, isWhole, seen }: { readonly isCounting: boolean; readonly isWhole: boolean; readonly seen: number }
) => {
  const coverage: Coverage = {
    completeSince: isCounting ? before(seen) : null,
    keptSince: before(91),
    isCounting,
    hasOffline: false
  }
  const uses = new Map(grants.map(({ calls, isCurrent }, n): [string, GrantUse] => [`${n}`, {
    isCurrent,
    lastAt: calls.length === 0 ? null : before(Math.min(...calls.map(({ days }) => days))),
    uses: calls.map(({ days, need }) => ({ need, calls: 1, firstAt: before(days), lastAt: before(days), weeks: [] }))
  }]))
  const listed = grants.map(({ given, isImported, scopes }, n) => ({
    id: GrantId.make(`${n}`),
    clientId: ClientId.make("app"),
    scopes,
    createdAt: before(given),
    lastTokensAt: now,
    isImported
  }))
  return connectionUse(catalogue, listed, { coverage, isWhole, uses })
}

const Case = Schema.Struct({
  grants: Schema.NonEmptyArray(Known),
  isCounting: Schema.Boolean,
  isWhole: Schema.Boolean,
  seen: Days
})

describe("The use of a connected app", () => {
  it.prop("is never called none where a call may have been missed", [Case], ([{ grants, ...seen }]) => {
    const { last, quietSince, rights } = useOf(grants, seen)
    const isBlind = !seen.isCounting || !seen.isWhole || grants.some(({ isCurrent }) => !isCurrent)
    if (isBlind) {
      assert.isNull(quietSince)
      assert.isFalse(last.by === "calls" && last.at === null)
    }
    const since = quietSince === null ? undefined : DateTime.toEpochMillis(quietSince)
    if (since !== undefined) {
      // No call since, no grant given since, and no day missed since.
      const days = grants.flatMap(({ calls, given }) => [given, ...calls.map(({ days }) => days)])
      assert.strictEqual(since, DateTime.toEpochMillis(before(Math.min(seen.seen, ...days))))
    }
    const unused = rights.filter(({ state }) => state === "unused")
    if (grants.some(({ scopes }) => scopes === null)) assert.deepStrictEqual(unused, [])
    for (const { scope } of unused) {
      assert.isFalse(!seen.isCounting || !seen.isWhole, scope)
      for (const { calls, given, isCurrent, isImported, scopes } of grants) {
        if (scopes === null || !catalogue.covers(scopes, scope)) continue
        assert.isTrue(isCurrent && !isImported && given <= seen.seen, scope)
        assert.isFalse(calls.some(({ need }) => need === ""), scope)
      }
    }
  })
})

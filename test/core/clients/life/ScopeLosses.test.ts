import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { ScopeUse } from "../../../../src/core/clients/life/LegacyUsage.ts"
import { lossInEnglish } from "../../../../src/core/clients/life/Loss.ts"
import { lossesOf, objection, suggestionOf } from "../../../../src/core/clients/life/ScopeLosses.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import type { Scope, ScopeName } from "../../../../src/domain/scopes/Scope.ts"
import { retiring } from "../../../domain/catalogue/RetiringCatalogue.ts"

const usage = (...scopes: ReadonlyArray<ScopeUse>) => ({
  days: 30,
  unscopedRequests: 0,
  scopes,
  uncoveredCalls: 0,
  knowsCalls: false,
  words: [],
  observedSince: DateTime.makeUnsafe(0),
  observedUntil: DateTime.makeUnsafe(0)
})

const losses = (use: ScopeUse, saved: ReadonlyArray<ScopeName>, catalogue = builtIn()) =>
  lossesOf(catalogue, usage(use), saved).map((loss) => lossInEnglish(loss))

const lost = (how: string) => [`TEAM_PROFILE_READ is not among the scopes: ${how}.`]

describe("What scopes would take from a legacy app", () => {
  const scope = "TEAM_PROFILE_READ"

  it("is a scope that requests name or calls need, and is not among them", () => {
    assert.deepStrictEqual(losses({ scope, requests: 2, calls: 0 }, ["PROFILE_READ"]), lost("named by 2 requests"))
    assert.deepStrictEqual(losses({ scope, requests: 0, calls: 1 }, ["PROFILE_READ"]), lost("needed by 1 API call"))
    assert.deepStrictEqual(
      losses({ scope, requests: 1, calls: 3 }, ["TEAM_PROFILE_WRITE"]),
      lost("named by 1 request and needed by 3 API calls")
    )
  })

  it("is nothing that they cover, by name or by the wider scope, or that is not used", () => {
    assert.deepStrictEqual(losses({ scope, requests: 2, calls: 3 }, [scope]), [])
    // The app may go on to name it, and its calls pass (specification §2.3 rule 1).
    assert.deepStrictEqual(losses({ scope, requests: 2, calls: 3 }, ["ORG_PROFILE_READ"]), [])
    assert.deepStrictEqual(losses({ scope, requests: 0, calls: 0 }, ["PROFILE_READ"]), [])
  })

  it("is each of several that calls needed together and that are not among them", () => {
    const use: ScopeUse = { scope: "BOOKING_READ", and: ["APPS_READ"], requests: 0, calls: 2 }
    assert.deepStrictEqual(losses(use, ["BOOKING_READ", "APPS_READ"]), [])
    assert.deepStrictEqual(losses(use, ["BOOKING_READ"]), [
      "APPS_READ is not among the scopes: needed by 2 API calls."
    ])
  })

  it("is one of several any of which would do, where none is among them", () => {
    const use: ScopeUse = { scope: "BOOKING_READ", or: ["BOOKING_WRITE", "TEAM_BOOKING_READ"], requests: 0, calls: 2 }
    for (const saved of ["BOOKING_READ", "BOOKING_WRITE", "TEAM_BOOKING_READ", "ORG_BOOKING_READ"] as const) {
      assert.deepStrictEqual(losses(use, [saved]), [], saved)
    }
    assert.deepStrictEqual(losses(use, ["APPS_READ"]), [
      "None of BOOKING_READ, BOOKING_WRITE and TEAM_BOOKING_READ is among the scopes: needed by 2 API calls."
    ])
  })
})

describe("The scopes that are suggested to a legacy app", () => {
  it("are those that were seen, and of several that would do the least risky one, unless another was seen", () => {
    const seen = (scope: Scope, ...or: ReadonlyArray<Scope>): ScopeUse =>
      or.length === 0 ? { scope, requests: 1, calls: 0 } : { scope, or, requests: 0, calls: 1 }
    const either = seen("BOOKING_READ", "BOOKING_WRITE")
    const now = DateTime.makeUnsafe(0)
    assert.deepStrictEqual(suggestionOf(builtIn(), usage(seen("APPS_READ"), either), now), [
      "APPS_READ",
      "BOOKING_READ"
    ])
    assert.deepStrictEqual(suggestionOf(builtIn(), usage(seen("BOOKING_WRITE"), either), now), ["BOOKING_WRITE"])
    assert.deepStrictEqual(suggestionOf(builtIn(), usage(either, seen("BOOKING_READ", "APPS_READ")), now), [
      "BOOKING_READ"
    ])
  })

  it("are those alone that calls needed, where all calls are known", () => {
    const seen: ReadonlyArray<ScopeUse> = [
      { scope: "APPS_READ", requests: 9, calls: 0 },
      { scope: "BOOKING_READ", requests: 0, calls: 1 },
      { scope: "PROFILE_READ", and: ["WEBHOOK_READ"], requests: 0, calls: 1 }
    ]
    const now = DateTime.makeUnsafe(0)
    const suggested = (knowsCalls: boolean, scopes = seen) =>
      suggestionOf(builtIn(), { ...usage(...scopes), knowsCalls }, now)
    assert.deepStrictEqual(suggested(true), ["BOOKING_READ", "PROFILE_READ", "WEBHOOK_READ"])
    assert.deepStrictEqual(suggested(false), ["APPS_READ", "BOOKING_READ", "PROFILE_READ", "WEBHOOK_READ"])
    // An app that made no call at all proves nothing.
    assert.deepStrictEqual(suggested(true, seen.slice(0, 1)), ["APPS_READ"])
  })

  it("are what stands for a retired one, from the day on which no app may add it", () => {
    const seen: ReadonlyArray<ScopeUse> = [
      { scope: "crm", requests: 2, calls: 0 },
      { scope: "contacts.read", requests: 1, calls: 0 }
    ]
    const now = DateTime.makeUnsafe(0)
    const on = (day: string) => suggestionOf(retiring, usage(...seen), DateTime.makeUnsafe(day))
    assert.deepStrictEqual(on("2026-12-31T23:59:59.999Z"), ["crm", "contacts.read"])
    assert.deepStrictEqual(on("2027-01-01T00:00:00.000Z"), ["contacts.read", "contacts.write"])
    // The requests that name it break with that, which somebody has to know.
    const refusal = objection(retiring, usage({ scope: "crm", requests: 2, calls: 0 }), ["contacts.read"], now)
    assert.include(
      refusal?.message,
      "crm is not among the scopes: named by 2 requests. Retired from 2027-01-01 on: use contacts.read and " +
        "contacts.write instead. Apps that have it may ask users for it until 2027-01-31."
    )
  })
})

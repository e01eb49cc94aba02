import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { ScopeUse } from "../../../../src/core/clients/life/LegacyUsage.ts"
import { lossesOf } from "../../../../src/core/clients/life/ScopeLosses.ts"
import { builtIn } from "../../../../src/domain/scopes/Catalogue.ts"
import type { Scope } from "../../../../src/domain/scopes/Scope.ts"

const losses = (use: ScopeUse, saved: ReadonlyArray<Scope>) =>
  lossesOf(builtIn(), {
    days: 30,
    unscopedRequests: 0,
    scopes: [use],
    words: [],
    observedSince: DateTime.makeUnsafe(0),
    observedUntil: DateTime.makeUnsafe(0)
  }, saved)

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
})

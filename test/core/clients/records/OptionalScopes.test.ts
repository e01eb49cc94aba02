import { assert, describe, it } from "@effect/vitest"
import { optionalFaults, requiredOf } from "../../../../src/core/clients/records/OptionalScopes.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"

const faults = (scopes: ReadonlyArray<string>, optionalScopes: ReadonlyArray<string>, before = {}) =>
  optionalFaults(builtIn(), optionalScopes, {
    scopes,
    optionalScopes: optionalScopes.filter((scope) => scopes.includes(scope))
  }, { scopes: [], optionalScopes: [], ...before }).map(({ message, path }) => `${path} ${message}`)

describe("optional scopes", () => {
  it("are some of the app's, and the others are required", () => {
    const scopes = ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"]
    assert.deepStrictEqual(faults(scopes, []), [])
    assert.deepStrictEqual(faults(scopes, ["BOOKING_WRITE", "PROFILE_READ"]), [])
    assert.deepStrictEqual(requiredOf({ scopes, optionalScopes: ["BOOKING_WRITE"] }), ["BOOKING_READ", "PROFILE_READ"])
    assert.deepStrictEqual(faults(scopes, ["PROFILE_READ", "SCHEDULE_READ"]), [
      "optionalScopes.1 must not name SCHEDULE_READ: it is not among the scopes of the app"
    ])
  })

  it("are never all of them: a consent has something to give", () => {
    assert.deepStrictEqual(faults(["BOOKING_READ", "PROFILE_READ"], ["BOOKING_READ", "PROFILE_READ"]), [
      "optionalScopes must leave at least one scope required"
    ])
    assert.deepStrictEqual(faults([], []), [])
  })

  it("are none that a required one includes, as declining them would change nothing", () => {
    const scopes = ["TEAM_BOOKING_READ", "ORG_BOOKING_READ"]
    assert.deepStrictEqual(faults(scopes, ["TEAM_BOOKING_READ"]), [
      "optionalScopes.0 must not name TEAM_BOOKING_READ: ORG_BOOKING_READ, which is required, includes it"
    ])
    assert.deepStrictEqual(faults(scopes, ["ORG_BOOKING_READ"]), [])
    assert.deepStrictEqual(faults([...scopes, "PROFILE_READ"], scopes), [])
  })

  it("stay beside a required scope that a later catalogue has widened", () => {
    const before = { scopes: ["TEAM_BOOKING_READ", "ORG_BOOKING_READ"], optionalScopes: ["TEAM_BOOKING_READ"] }
    assert.deepStrictEqual(faults([...before.scopes, "PROFILE_READ"], before.optionalScopes, before), [])
  })

  it("leave names to the catalogue that it does not have", () => {
    assert.deepStrictEqual(faults(["PROFILE_READ"], ["NO_SCOPE"]), [])
  })
})

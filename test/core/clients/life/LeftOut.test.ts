import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { mayBeLeftOut } from "../../../../src/core/clients/life/LeftOut.ts"
import * as Lifecycle from "../../../../src/core/clients/life/Lifecycle.ts"
import { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { approved, at, edited, pending, transitionOf } from "../Fixture.ts"

const approve = (client: ManagedClient, without: ReadonlyArray<string>) =>
  Lifecycle.approve(builtIn(), client, client.version, at(9), undefined, without)

/** Faults of a refused approval. */
const faults = (client: ManagedClient, without: ReadonlyArray<string>) => {
  const failure = Result.getOrThrow(Result.flip(approve(client, without)))
  return (failure.details ?? []).map(({ message, path }) => `${path} ${message}`)
}

const wide = new ManagedClient({
  ...pending,
  scopes: ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"],
  optionalScopes: ["BOOKING_READ", "BOOKING_WRITE"]
})
const changed = edited(approved, { scopes: ["BOOKING_READ", "PROFILE_READ", "BOOKING_WRITE", "SCHEDULE_READ"] }).client

describe("An approval without some scopes", () => {
  it("gives the rest, with its marks as optional, and says what was left out", () => {
    const { client, details, leftOut } = transitionOf(approve(wide, ["BOOKING_WRITE"]))
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ", "PROFILE_READ"])
    assert.deepStrictEqual(client.optionalScopes, ["BOOKING_READ"])
    assert.deepStrictEqual(leftOut, ["BOOKING_WRITE"])
    assert.deepInclude(details, { leftOut: "BOOKING_WRITE" })
  })

  it("leaves out what a change adds, and nothing else", () => {
    assert.deepStrictEqual(mayBeLeftOut(changed), ["BOOKING_WRITE", "SCHEDULE_READ"])
    const { client, details } = transitionOf(approve(changed, ["BOOKING_WRITE"]))
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ", "SCHEDULE_READ", "PROFILE_READ"])
    assert.isNull(client.change)
    assert.deepStrictEqual(details, { scopes: "+SCHEDULE_READ", leftOut: "BOOKING_WRITE" })
    assert.deepStrictEqual(faults(changed, ["BOOKING_READ"]), [
      "without.0 must not name BOOKING_READ: it is not among the scopes that this approval would give"
    ])
  })

  it("is refused where a scope that stays includes one that goes", () => {
    const client = new ManagedClient({ ...pending, scopes: ["TEAM_BOOKING_READ", "ORG_BOOKING_READ"] })
    assert.deepStrictEqual(faults(client, ["TEAM_BOOKING_READ"]), [
      "without.0 must not name TEAM_BOOKING_READ: ORG_BOOKING_READ, which would stay, includes it"
    ])
    assert.deepStrictEqual(transitionOf(approve(client, ["ORG_BOOKING_READ"])).client.scopes, ["TEAM_BOOKING_READ"])
  })

  it("is refused where nothing would be left that users have to give, or nothing of the change", () => {
    assert.deepStrictEqual(faults(wide, ["PROFILE_READ"]), ["without must leave a scope that users have to give"])
    assert.deepStrictEqual(faults(changed, ["BOOKING_WRITE", "SCHEDULE_READ"]), [
      "without must leave something of the change: reject it instead"
    ])
  })
})

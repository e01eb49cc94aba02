import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { make } from "../../../src/domain/catalogue/Catalogue.ts"
import {
  isOver,
  isRetired,
  noteOf,
  successors,
  whyNotAdded,
  whyNotAsked
} from "../../../src/domain/catalogue/Retirement.ts"
import { checkedOf } from "../../core/catalogue/Fixture.ts"
import { retiring } from "./RetiringCatalogue.ts"

const at = (instant: string) => DateTime.makeUnsafe(instant)

describe("A retired scope", () => {
  it.each([
    ["2026-12-31T23:59:59.999Z", false, false],
    ["2027-01-01T00:00:00.000Z", true, false],
    // It is the last day still, wherever the calendar says otherwise.
    ["2027-01-31T23:59:59.999Z", true, false],
    ["2027-02-01T01:00:00+02:00", true, false],
    ["2027-02-01T00:00:00.000Z", true, true]
  ])("at %s may not be added: %s, not be asked for: %s", (instant, retired, over) => {
    const now = DateTime.toUtc(at(instant))
    assert.deepStrictEqual([isRetired(retiring, "crm", now), isOver(retiring, "crm", now)], [retired, over])
  })

  it("may be asked for without an end where none is named, and others always", () => {
    const endless = make(checkedOf({ "scopes.3.retired": { since: "2027-01-01" }, operations: [] }).file)
    const late = at("2999-01-01T00:00:00Z")
    assert.deepStrictEqual([isRetired(endless, "members", late), isOver(endless, "members", late)], [true, false])
    assert.deepStrictEqual([isRetired(endless, "contacts.read", late), isOver(endless, "nobody", late)], [false, false])
  })

  it("is named with its days, and with what lasts in its place", () => {
    assert.deepStrictEqual(successors(retiring, "older"), ["contacts.read", "contacts.write"])
    assert.deepStrictEqual(successors(retiring, "contacts.read"), [])
    assert.strictEqual(
      whyNotAdded(retiring, "crm").message,
      "must not name crm, retired since 2027-01-01: use contacts.read and contacts.write instead"
    )
    assert.strictEqual(
      whyNotAsked(retiring, "crm"),
      "crm, retired and not to be asked for after 2027-01-31: use contacts.read and contacts.write instead"
    )
    assert.strictEqual(
      noteOf(retiring, "crm"),
      "Retired from 2027-01-01 on: use contacts.read and contacts.write instead. " +
        "Apps that have it may ask users for it until 2027-01-31."
    )
    assert.strictEqual(noteOf(retiring, "alone"), "Retired from 2027-01-01 on.")
    assert.isUndefined(noteOf(retiring, "contacts.read"))
  })

  it("is no scope for new apps, and one of the catalogue all the same", () => {
    assert.includeMembers([...retiring.names], ["crm", "older", "alone"] as never)
    assert.deepStrictEqual(
      [...retiring.lasting],
      ["account.read", "contacts.read", "contacts.write", "members"] as never
    )
    assert.isTrue(retiring.covers(["older"], "contacts.write"))
  })
})

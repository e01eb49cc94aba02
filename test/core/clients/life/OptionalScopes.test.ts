import { assert, describe, it } from "@effect/vitest"
import { Duration, Result, Schema } from "effect"
import * as Lifecycle from "../../../../src/core/clients/life/Lifecycle.ts"
import type { ClientEdit } from "../../../../src/core/clients/life/Registration.ts"
import { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { requiredOf } from "../../../../src/core/clients/records/OptionalScopes.ts"
import type { ReviewedVersion } from "../../../../src/core/clients/records/ReviewedFields.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { isSubset, type ScopeName } from "../../../../src/domain/scopes/Scope.ts"
import { approved, at, edited, errorOf, legacy, pending, transitionOf } from "../Fixture.ts"

const optional = (version: Pick<ReviewedVersion, "optionalScopes"> | null) => version?.optionalScopes
const choosy = new ManagedClient({ ...approved, optionalScopes: ["PROFILE_READ"] })

describe("optional scopes of an approved app", () => {
  it("are more at once: users give less than they did", () => {
    const { client, details, event } = edited(approved, { optionalScopes: ["PROFILE_READ"] })
    assert.deepStrictEqual(optional(client), ["PROFILE_READ"])
    assert.isNull(client.change)
    assert.isNull(event)
    assert.deepStrictEqual(details, { optionalScopes: "+PROFILE_READ" })
  })

  it("are fewer once a reviewer agrees", () => {
    const { client, event } = edited(choosy, { optionalScopes: [] })
    assert.strictEqual(event, "changed")
    assert.deepStrictEqual([optional(client), optional(client.change)], [["PROFILE_READ"], []])
    const agreed = transitionOf(Lifecycle.approve(builtIn(), client, client.version, at(6)))
    assert.deepStrictEqual(optional(agreed.client), [])
    assert.deepStrictEqual(agreed.details, { optionalScopes: "-PROFILE_READ" })
  })

  it("go with their scopes, and stay where an edit names others", () => {
    assert.deepStrictEqual(optional(edited(choosy, { scopes: ["BOOKING_READ"] }).client), [])
    const { client } = edited(choosy, { scopes: ["BOOKING_READ", "PROFILE_READ", "SCHEDULE_READ"] })
    assert.deepStrictEqual([optional(client), optional(client.change)], [["PROFILE_READ"], ["PROFILE_READ"]])
  })

  it("never become all that serves while the replacement of a required one is reviewed", () => {
    const { client } = edited(choosy, { scopes: ["PROFILE_READ", "SCHEDULE_READ"] })
    assert.deepStrictEqual([client.scopes, optional(client)], [choosy.scopes, ["PROFILE_READ"]])
    assert.deepStrictEqual(client.change?.scopes, ["SCHEDULE_READ", "PROFILE_READ"])
  })

  it("are refused with every fault of the edit", () => {
    const edit: ClientEdit = {
      scopes: ["ORG_BOOKING_READ", "TEAM_BOOKING_READ"],
      optionalScopes: ["PROFILE_READ", "TEAM_BOOKING_READ"]
    }
    assert.deepStrictEqual(errorOf(Lifecycle.edit(builtIn(), approved, edit, at(5))).details, [
      { path: "optionalScopes.0", message: "must not name PROFILE_READ: it is not among the scopes of the app" },
      {
        path: "optionalScopes.1",
        message: "must not name TEAM_BOOKING_READ: ORG_BOOKING_READ, which is required, includes it"
      }
    ])
    // Nothing of the edit names the optional scope that is left alone.
    assert.deepStrictEqual(errorOf(Lifecycle.edit(builtIn(), choosy, { scopes: ["PROFILE_READ"] }, at(5))).details, [
      { path: "optionalScopes", message: "must leave at least one scope required" }
    ])
  })

  it("keep the mark of a scope that another release knows", () => {
    const held = new ManagedClient({ ...approved, scopes: ["PROFILE_READ", "later"], optionalScopes: ["later"] })
    const { client } = edited(held, { scopes: ["PROFILE_READ"], optionalScopes: [], name: "Other" })
    assert.deepStrictEqual(optional(client.change), ["later"])
  })

  it("lose marks without scopes, which an older server leaves, with the next edit", () => {
    const narrowed = new ManagedClient({ ...choosy, scopes: ["BOOKING_READ"] })
    const { client } = edited(narrowed, { purpose: "Copies bookings." })
    assert.deepStrictEqual(optional(client), [])
    assert.isNull(client.change)
  })
})

describe("optional scopes of a legacy app", () => {
  it("are those that it saves, none by itself, and none when it takes them back", () => {
    const scopes = ["BOOKING_READ", "PROFILE_READ"] as const
    assert.deepStrictEqual(optional(edited(legacy, { scopes }).client), [])
    const { client } = edited(legacy, { scopes, optionalScopes: ["PROFILE_READ"] })
    assert.deepStrictEqual(optional(client), ["PROFILE_READ"])
    const undone = transitionOf(Lifecycle.undoMigration(client, undefined, Duration.days(14), at(6))).client
    assert.deepStrictEqual([undone.scopes, optional(undone)], [[], []])
  })
})

const pool = ["BOOKING_READ", "TEAM_BOOKING_READ", "ORG_BOOKING_READ", "PROFILE_READ"] as const
const Mark = Schema.Literals(["none", "required", "optional"])
const Command = Schema.Struct({
  act: Schema.Literals(["edit", "approve", "reject", "undoRejection", "withdraw", "undoMigration"]),
  /** For each scope of the pool. */
  marks: Schema.Tuple([Mark, Mark, Mark, Mark]),
  names: Schema.Literals(["both", "scopes", "optionalScopes"])
})
const Commands = Schema.Array(Command).check(Schema.isMinLength(2), Schema.isMaxLength(8))

const obey = (client: ManagedClient, { act, marks, names }: typeof Command.Type) => {
  const { version } = client
  const edit = {
    ...names !== "optionalScopes" && { scopes: pool.filter((_, at) => marks[at] !== "none") },
    ...names !== "scopes" && { optionalScopes: pool.filter((_, at) => marks[at] === "optional") }
  }
  const outcome = {
    edit: () => Lifecycle.edit(builtIn(), client, edit, at(5)),
    approve: () => Lifecycle.approve(builtIn(), client, version, at(5)),
    reject: () => Lifecycle.reject(client, "No.", version, at(5)),
    undoRejection: () => Lifecycle.undoRejection(client, "Yes.", version, at(5)),
    withdraw: () => Lifecycle.withdraw(client, at(5)),
    undoMigration: () => Lifecycle.undoMigration(client, undefined, Duration.days(14), at(5))
  }[act]()
  return Result.isSuccess(outcome) ? outcome.success?.client ?? client : client
}

const assertSound = (version: ReviewedVersion) => {
  const { optionalScopes, scopes } = version
  const required = requiredOf(version)
  const pair = `${scopes} of which optional ${optionalScopes}`
  assert.isTrue(isSubset(optionalScopes, scopes), pair)
  assert.isTrue(scopes.length === 0 || required.length > 0, pair)
  assert.isFalse(optionalScopes.some((scope) => builtIn().covers(required, scope)), pair)
}

describe("no sequence of commands", () => {
  const given = ({ legacy, ...version }: ManagedClient): ReadonlyArray<ScopeName> => legacy ? pool : requiredOf(version)

  it.prop(
    "leaves an optional scope that is none of the app's, or has users give more without a review",
    [Schema.Literals(["pending", "approved", "legacy"]), Commands],
    ([start, commands]) => {
      let client = { pending, approved, legacy }[start]
      for (const command of commands) {
        const next = obey(client, command)
        assertSound(next)
        if (next.change !== null) assertSound(next.change)
        if (next.status === "approved" && command.act === "edit") {
          assert.isTrue(isSubset(given(next), given(client)), `${given(client)} to ${given(next)}`)
        }
        client = next
      }
    },
    { arbitrary: { runs: 2000, size: 20 } }
  )
})

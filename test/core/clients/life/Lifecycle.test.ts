import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import * as Lifecycle from "../../../../src/core/clients/life/Lifecycle.ts"
import { undo } from "../../../../src/core/clients/life/Undoing.ts"
import type { Client, ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { DecisionKind } from "../../../../src/core/clients/review/Decision.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { isSubset } from "../../../../src/domain/scopes/Scope.ts"
import { approved, at, edited, errorOf, pending, rejected, suspended, transitionOf } from "../Fixture.ts"

describe("review", () => {
  it("approves what is pending", () => {
    assert.strictEqual(approved.status, "approved")
    assert.deepStrictEqual(approved.reviewedAt, at(1))
    assert.strictEqual(approved.version, 2)
  })

  it("rejects what is pending with a reason, and takes it back into the queue when it was edited", () => {
    assert.strictEqual(rejected.status, "rejected")
    assert.strictEqual(rejected.rejectionReason, "Too vague.")
    const { client, event } = edited(rejected, { purpose: "Copies bookings to a calendar." })
    assert.strictEqual(client.status, "pending")
    assert.isNull(client.rejectionReason)
    assert.deepStrictEqual(client.submittedAt, at(5))
    assert.strictEqual(event, "resubmitted")
  })

  it("takes a rejection back, so that the app or its change waits at its old place", () => {
    const { client, details, event } = transitionOf(
      Lifecycle.undoRejection(rejected, "Sorry.", rejected.version, at(9))
    )
    assert.deepInclude(client, { status: "pending", rejectionReason: null, reviewedAt: null })
    assert.deepStrictEqual(client.submittedAt, rejected.submittedAt)
    assert.deepStrictEqual([details, event], [{ reason: "Sorry." }, "rejection-undone"])

    const changed = edited(approved, { name: "Other" }).client
    const refused = transitionOf(Lifecycle.reject(changed, "No.", changed.version, at(4))).client
    const undone = transitionOf(Lifecycle.undoRejection(refused, "Sorry.", refused.version, at(9)))
    assert.deepStrictEqual(undone.client.change, changed.change)
    assert.strictEqual(undone.event, "change-rejection-undone")
  })

  it("takes no rejection back over a later change, nor where nothing is rejected", () => {
    const undo = (client: ManagedClient, version = client.version) =>
      Lifecycle.undoRejection(client, "Sorry.", version, at(9))
    const changed = edited(approved, { name: "Other" }).client
    const refused = transitionOf(Lifecycle.reject(changed, "No.", changed.version, at(4))).client
    // The change that was refused still has what the owner has removed since.
    const narrowed = edited(refused, { scopes: ["PROFILE_READ"] }).client
    assert.isFalse(narrowed.change?.isWaiting)
    assert.strictEqual(errorOf(undo(narrowed)).code, "changed_since")
    assert.strictEqual(errorOf(undo(rejected, rejected.version - 1)).code, "version_conflict")
    for (const client of [pending, approved, suspended, changed, edited(rejected, { name: "Other" }).client]) {
      assert.strictEqual(errorOf(undo(client)).code, "not_rejected")
    }
  })

  it("takes a rejected app back as it is when its owner asks", () => {
    assert.strictEqual(transitionOf(Lifecycle.resubmit(rejected, at(5))).client.status, "pending")
    assert.isUndefined(Result.getOrThrow(Lifecycle.resubmit(pending, at(5))))
  })

  it("suspends what is approved and resumes what is suspended", () => {
    assert.strictEqual(suspended.status, "suspended")
    assert.strictEqual(suspended.rejectionReason, "Abuse.")
    const resumed = transitionOf(Lifecycle.resume(suspended, undefined, at(3))).client
    assert.strictEqual(resumed.status, "approved")
    assert.isNull(resumed.rejectionReason)
  })

  it.each([
    { move: "approve an approved app", decision: Lifecycle.approve(builtIn(), approved, 2, at(5)) },
    { move: "approve a rejected app", decision: Lifecycle.approve(builtIn(), rejected, 2, at(5)) },
    { move: "approve a suspended app", decision: Lifecycle.approve(builtIn(), suspended, 3, at(5)) },
    { move: "reject an approved app", decision: Lifecycle.reject(approved, "No.", 2, at(5)) },
    { move: "reject a rejected app", decision: Lifecycle.reject(rejected, "No.", 2, at(5)) },
    { move: "suspend a pending app", decision: Lifecycle.suspend(pending, "No.", undefined, at(5)) },
    { move: "suspend a rejected app", decision: Lifecycle.suspend(rejected, "No.", undefined, at(5)) },
    { move: "suspend a suspended app", decision: Lifecycle.suspend(suspended, "No.", undefined, at(5)) },
    { move: "resume an approved app", decision: Lifecycle.resume(approved, undefined, at(5)) },
    { move: "resubmit an approved app", decision: Lifecycle.resubmit(approved, at(5)) },
    { move: "resubmit a suspended app", decision: Lifecycle.resubmit(suspended, at(5)) },
    { move: "withdraw a change that is not there", decision: Lifecycle.withdraw(approved, at(5)) },
    { move: "approve a version that is gone", decision: Lifecycle.approve(builtIn(), pending, 2, at(5)) },
    { move: "reject a version that is gone", decision: Lifecycle.reject(pending, "No.", 0, at(5)) },
    { move: "suspend a version that is gone", decision: Lifecycle.suspend(approved, "No.", 1, at(5)) },
    { move: "resume a version that is gone", decision: Lifecycle.resume(suspended, 1, at(5)) },
    {
      move: "edit a version that is gone",
      decision: Lifecycle.edit(builtIn(), approved, { name: "Other", version: 1 }, at(5))
    }
  ])("refuses to $move", ({ decision }) => assert.strictEqual(errorOf(decision)._tag, "Conflict"))
})

describe("any order of commands", () => {
  const Names = Schema.Literals(["BOOKING_READ", "BOOKING_WRITE", "TEAM_BOOKING_READ", "PROFILE_READ"])
  const Uris = Schema.Literals(["https://a.example/", "https://b.example/", "http://localhost/"])
  const Command = Schema.Union([
    Schema.Struct({
      do: Schema.tag("edit"),
      edit: Schema.Struct({
        name: Schema.optionalKey(Schema.Literals(["One", "Two"])),
        scopes: Schema.optionalKey(Schema.UniqueArray(Names)),
        redirectUris: Schema.optionalKey(Schema.UniqueArray(Uris).check(Schema.isMinLength(1)))
      })
    }),
    Schema.Struct({ do: Schema.Literals(["approve", "reject", "undo", "suspend", "resume", "resubmit", "withdraw"]) })
  ])
  const decide = (client: ManagedClient, command: typeof Command.Type) => {
    switch (command.do) {
      case "edit":
        return Lifecycle.edit(builtIn(), client, command.edit, at(5))
      case "approve":
        return Lifecycle.approve(builtIn(), client, client.version, at(5))
      case "reject":
        return Lifecycle.reject(client, "No.", client.version, at(5))
      case "undo":
        return Lifecycle.undoRejection(client, "Sorry.", client.version, at(5))
      case "suspend":
        return Lifecycle.suspend(client, "No.", undefined, at(5))
      case "resume":
        return Lifecycle.resume(client, undefined, at(5))
      case "resubmit":
        return Lifecycle.resubmit(client, at(5))
      case "withdraw":
        return Lifecycle.withdraw(client, at(5))
    }
  }
  /** Kind of a decision that can be undone. */
  const kinds = (result: ReturnType<typeof decide>) => {
    const event = Option.getOrUndefined(Result.getSuccess(result))?.event
    return Schema.is(DecisionKind)(event) ? event : undefined
  }
  const usable = ({ status }: Client) => status === "approved"

  it.prop("gives a usable app nothing that no administrator approved", [Schema.Array(Command)], ([commands]) => {
    let client = pending
    for (const command of commands) {
      const next = Option.getOrUndefined(Result.getSuccess(decide(client, command)))?.client ?? client
      const { redirectUris, scopes, status } = next
      assert.isTrue(scopes.length > 0 && redirectUris.length > 0)
      if (next !== client) assert.strictEqual(next.version, client.version + 1)
      if (usable(next) && command.do !== "approve") {
        assert.isTrue(command.do === "resume" || usable(client))
        assert.isTrue(isSubset(scopes, client.scopes))
        assert.isTrue(redirectUris.every((uri) => client.redirectUris.includes(uri)))
        assert.strictEqual(next.name, client.name)
      }
      if (status === "pending" || status === "rejected") assert.isNull(next.change)
      const kind = kinds(decide(client, command))
      if (kind !== undefined) {
        const undone = transitionOf(undo(next, { before: client, kind }, at(6))).client
        assert.deepStrictEqual({ ...undone }, { ...client, version: next.version + 1, updatedAt: at(6) })
      }
      client = next
    }
  })
})

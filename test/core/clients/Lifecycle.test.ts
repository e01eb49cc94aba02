import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result, Schema } from "effect"
import { type Client, ManagedClient } from "../../../src/core/clients/Client.ts"
import * as Lifecycle from "../../../src/core/clients/Lifecycle.ts"
import type { ClientEdit } from "../../../src/core/clients/Registration.ts"
import { ClientId, UserId } from "../../../src/domain/Ids.ts"
import { isSubset } from "../../../src/domain/scopes/Scope.ts"

const at = (minute: number) => DateTime.makeUnsafe(minute * 60_000)

const pending = new ManagedClient({
  id: ClientId.make("slk_client_1"),
  ownerId: UserId.make("dev"),
  kind: "confidential",
  legacy: false,
  status: "pending",
  name: "Calendar Sync",
  purpose: "Keeps two calendars in step.",
  website: "https://app.example",
  logoUrl: null,
  redirectUris: ["https://app.example/callback"],
  scopes: ["BOOKING_READ", "PROFILE_READ"],
  rejectionReason: null,
  submittedAt: at(0),
  reviewedAt: null,
  createdAt: at(0),
  migratedAt: null,
  updatedAt: at(0),
  version: 1,
  change: null
})

const outcome = (decision: ReturnType<typeof Lifecycle.edit>) =>
  Option.getOrThrow(Option.fromUndefinedOr(Result.getOrThrow(decision)))
const refusal = (decision: ReturnType<typeof Lifecycle.edit>) => Option.getOrThrow(Result.getFailure(decision))

const approved = outcome(Lifecycle.approve(pending, 1, at(1))).client
const rejected = outcome(Lifecycle.reject(pending, "Too vague.", 1, at(1))).client
const suspended = outcome(Lifecycle.suspend(approved, "Abuse.", undefined, at(2))).client
const legacy = new ManagedClient({ ...approved, legacy: true, scopes: [] })
const edited = (client: ManagedClient, edit: ClientEdit) => outcome(Lifecycle.edit(client, edit, at(5)))

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

  it("takes a rejected app back as it is when its owner asks", () => {
    assert.strictEqual(outcome(Lifecycle.resubmit(rejected, at(5))).client.status, "pending")
    assert.isUndefined(Result.getOrThrow(Lifecycle.resubmit(pending, at(5))))
  })

  it("suspends what is approved and resumes what is suspended", () => {
    assert.strictEqual(suspended.status, "suspended")
    assert.strictEqual(suspended.rejectionReason, "Abuse.")
    const resumed = outcome(Lifecycle.resume(suspended, undefined, at(3))).client
    assert.strictEqual(resumed.status, "approved")
    assert.isNull(resumed.rejectionReason)
  })

  it.each([
    { move: "approve an approved app", decision: Lifecycle.approve(approved, 2, at(5)) },
    { move: "approve a rejected app", decision: Lifecycle.approve(rejected, 2, at(5)) },
    { move: "approve a suspended app", decision: Lifecycle.approve(suspended, 3, at(5)) },
    { move: "reject an approved app", decision: Lifecycle.reject(approved, "No.", 2, at(5)) },
    { move: "reject a rejected app", decision: Lifecycle.reject(rejected, "No.", 2, at(5)) },
    { move: "suspend a pending app", decision: Lifecycle.suspend(pending, "No.", undefined, at(5)) },
    { move: "suspend a rejected app", decision: Lifecycle.suspend(rejected, "No.", undefined, at(5)) },
    { move: "suspend a suspended app", decision: Lifecycle.suspend(suspended, "No.", undefined, at(5)) },
    { move: "resume an approved app", decision: Lifecycle.resume(approved, undefined, at(5)) },
    { move: "resubmit an approved app", decision: Lifecycle.resubmit(approved, at(5)) },
    { move: "resubmit a suspended app", decision: Lifecycle.resubmit(suspended, at(5)) },
    { move: "withdraw a change that is not there", decision: Lifecycle.withdraw(approved, at(5)) },
    { move: "approve a version that is gone", decision: Lifecycle.approve(pending, 2, at(5)) },
    { move: "reject a version that is gone", decision: Lifecycle.reject(pending, "No.", 0, at(5)) },
    { move: "suspend a version that is gone", decision: Lifecycle.suspend(approved, "No.", 1, at(5)) },
    { move: "resume a version that is gone", decision: Lifecycle.resume(suspended, 1, at(5)) },
    { move: "edit a version that is gone", decision: Lifecycle.edit(approved, { name: "Other", version: 1 }, at(5)) }
  ])("refuses to $move", ({ decision }) => assert.strictEqual(refusal(decision)._tag, "Conflict"))
})

describe("an edit of an approved app", () => {
  it("keeps the approved version serving while an addition is reviewed", () => {
    const { client, event } = edited(approved, {
      scopes: ["BOOKING_READ", "PROFILE_READ", "BOOKING_WRITE"],
      redirectUris: ["https://app.example/callback", "https://app.example/other"]
    })
    assert.strictEqual(event, "changed")
    assert.isTrue(client.isWaiting)
    assert.strictEqual(client.status, "approved")
    assert.deepStrictEqual(client.scopes, approved.scopes)
    assert.deepStrictEqual(client.redirectUris, approved.redirectUris)
    assert.deepStrictEqual(client.change?.scopes, ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"])

    const applied = outcome(Lifecycle.approve(client, client.version, at(6)))
    assert.strictEqual(applied.event, "change-approved")
    assert.isNull(applied.client.change)
    assert.deepStrictEqual(applied.client.scopes, ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"])
    assert.lengthOf(applied.client.redirectUris, 2)
    assert.strictEqual(applied.details["scopes"], "+BOOKING_WRITE")

    const refused = outcome(Lifecycle.reject(client, "Why write?", client.version, at(6)))
    assert.strictEqual(refused.event, "change-rejected")
    assert.deepStrictEqual(refused.client.scopes, approved.scopes)
    assert.strictEqual(refused.client.status, "approved")
    assert.strictEqual(refused.client.change?.rejectionReason, "Why write?")
    assert.isFalse(refused.client.isWaiting)
    assert.strictEqual(refusal(Lifecycle.approve(refused.client, refused.client.version, at(7)))._tag, "Conflict")
  })

  it.each([
    { edit: { name: "Other" } },
    { edit: { website: "https://other.example" } },
    { edit: { logoUrl: "https://app.example/logo.png" } }
  ])("lets a reviewer see $edit first", ({ edit }) => {
    const { client } = edited(approved, edit)
    assert.isTrue(client.isWaiting)
    assert.deepStrictEqual({ ...client, change: null, updatedAt: at(1), version: 2 }, { ...approved })
  })

  it("removes and rewords at once", () => {
    const { client, event } = edited(approved, { scopes: ["BOOKING_READ"], purpose: "Reads bookings." })
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ"])
    assert.strictEqual(client.purpose, "Reads bookings.")
    assert.isNull(client.change)
    assert.isNull(event)
  })

  it("removes at once beside an addition that waits", () => {
    const { client } = edited(approved, { scopes: ["BOOKING_READ", "BOOKING_WRITE"] })
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ"])
    assert.deepStrictEqual(client.change?.scopes, ["BOOKING_READ", "BOOKING_WRITE"])
  })

  it("never takes the last address or scope away before its replacement is approved", () => {
    const { client } = edited(approved, { scopes: ["SCHEDULE_READ"], redirectUris: ["https://new.example/"] })
    assert.deepStrictEqual(client.scopes, approved.scopes)
    assert.deepStrictEqual(client.redirectUris, approved.redirectUris)
    const applied = outcome(Lifecycle.approve(client, client.version, at(6))).client
    assert.deepStrictEqual(applied.scopes, ["SCHEDULE_READ"])
    assert.deepStrictEqual(applied.redirectUris, ["https://new.example/"])
  })

  it("adds to the change that waits, tells administrators once, and keeps its place in the queue", () => {
    const first = edited(approved, { name: "Other" }).client
    const { client, event } = outcome(Lifecycle.edit(first, { website: "https://other.example" }, at(9)))
    assert.strictEqual(client.change?.name, "Other")
    assert.strictEqual(client.change?.website, "https://other.example")
    assert.deepStrictEqual(client.change?.submittedAt, at(5))
    assert.isNull(event)
  })

  it("closes the review when the owner goes back to the approved version", () => {
    const first = edited(approved, { name: "Other" }).client
    assert.isNull(edited(first, { name: approved.name }).client.change)
    const withdrawn = outcome(Lifecycle.withdraw(first, at(6))).client
    assert.isNull(withdrawn.change)
    assert.strictEqual(withdrawn.name, approved.name)
  })

  it("keeps the reason of a refused change until the owner asks again", () => {
    const first = edited(approved, { name: "Other" }).client
    const refused = outcome(Lifecycle.reject(first, "Misleading.", first.version, at(6))).client
    const reworded = edited(refused, { purpose: "Something else." }).client
    assert.strictEqual(reworded.change?.rejectionReason, "Misleading.")
    const again = outcome(Lifecycle.edit(refused, { name: "Better" }, at(9)))
    assert.strictEqual(again.event, "changed")
    assert.isNull(again.client.change?.rejectionReason)
    assert.deepStrictEqual(again.client.change?.submittedAt, at(9))
  })

  it("does nothing when nothing differs", () => {
    assert.isUndefined(Result.getOrThrow(Lifecycle.edit(approved, { name: approved.name }, at(5))))
    assert.isUndefined(Result.getOrThrow(Lifecycle.edit(pending, {}, at(5))))
  })

  it("names what does not fit", () => {
    const scopes = refusal(Lifecycle.edit(approved, { scopes: [] }, at(5)))
    assert.deepStrictEqual(scopes.details?.map(({ path }) => path), ["scopes"])
    const redirectUris = ["https://app.example/callback", "com.example.app:/callback"]
    const uris = refusal(Lifecycle.edit(approved, { redirectUris }, at(5)))
    assert.deepStrictEqual(uris.details?.map(({ path }) => path), ["redirectUris.1"])
  })
})

describe("a legacy app", () => {
  it("gets user-level scopes at once", () => {
    const { client } = edited(legacy, { scopes: ["BOOKING_READ", "PROFILE_READ"] })
    assert.isFalse(client.legacy)
    assert.deepStrictEqual(client.scopes, ["BOOKING_READ", "PROFILE_READ"])
    assert.isNull(client.change)
  })

  it("stays as it is until team and organization scopes are approved", () => {
    const { client } = edited(legacy, { scopes: ["BOOKING_READ", "TEAM_BOOKING_READ"] })
    assert.isTrue(client.legacy)
    assert.deepStrictEqual(client.scopes, [])
    assert.isTrue(client.isWaiting)
    const applied = outcome(Lifecycle.approve(client, client.version, at(6))).client
    assert.isFalse(applied.legacy)
    assert.deepStrictEqual(applied.scopes, ["BOOKING_READ", "TEAM_BOOKING_READ"])
  })

  it("stays legacy when something else changes", () => {
    const { client } = edited(legacy, { name: "Other" })
    assert.isTrue(outcome(Lifecycle.approve(client, client.version, at(6))).client.legacy)
  })
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
    Schema.Struct({ do: Schema.Literals(["approve", "reject", "suspend", "resume", "resubmit", "withdraw"]) })
  ])
  const decide = (client: ManagedClient, command: typeof Command.Type) => {
    switch (command.do) {
      case "edit":
        return Lifecycle.edit(client, command.edit, at(5))
      case "approve":
        return Lifecycle.approve(client, client.version, at(5))
      case "reject":
        return Lifecycle.reject(client, "No.", client.version, at(5))
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
      client = next
    }
  })
})

import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { operator } from "../../../../src/core/audit/Operator.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { ScopeName } from "../../../../src/domain/scopes/Scope.ts"
import { newClient, people, servicesWith } from "../Scenario.ts"

const risky = ["PROFILE_READ", "ORG_MEMBERSHIP_WRITE"]
const code = <A, E extends { readonly code: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(work), (error) => error.code)

layer(servicesWith({ REVIEW_TWO_PEOPLE: "required" }))("Where approvals take two people", (it) => {
  it.effect("the first of what is most dangerous is kept and shown, and another reviewer's makes it", () =>
    Effect.gen(function*() {
      const audit = yield* AuditLog
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const { client } = yield* newClient(owner, { scopes: risky })
      const first = yield* review.approve(admin, client.id, client.version)
      assert.strictEqual(first.status, "pending")
      assert.strictEqual(first.version, client.version)
      const found = Option.getOrThrow(yield* review.firstApproval(first))
      assert.deepInclude(found, { reviewer: admin, without: [] })
      const [entry] = yield* audit.list({ clientId: client.id, limit: 1 })
      assert.deepInclude(entry, { action: "client.approval_given", actor: admin })
      assert.deepInclude(entry?.details, { risk: 3, users: 0, version: 1 })
      // The same person twice is one.
      assert.strictEqual((yield* review.approve(admin, client.id, client.version)).status, "pending")
      const made = yield* review.approve(second, client.id, client.version)
      assert.strictEqual(made.status, "approved")
      // The second made it, and may undo it; then it takes two again.
      assert.strictEqual(yield* code(review.undo(admin, client.id, made.version)), "decided_by_another")
      const undone = yield* review.undo(second, client.id, made.version)
      assert.strictEqual((yield* review.approve(second, client.id, undone.version)).status, "pending")
    }))

  it.effect("two who approve at once make it, whoever is first", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const { client } = yield* newClient(owner, { scopes: risky })
      yield* Effect.all([admin, second].map((by) => review.approve(by, client.id, client.version)), { concurrency: 2 })
      assert.strictEqual((yield* review.get(client.id)).status, "approved")
    }))

  it.effect("one is enough for less, and two for one's own app", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const less = yield* newClient(owner)
      assert.strictEqual((yield* review.approve(admin, less.client.id, 1)).status, "approved")
      const own = yield* newClient(admin)
      assert.strictEqual((yield* review.approve(admin, own.client.id, 1)).status, "pending")
      const approved = yield* review.approve(second, own.client.id, 1)
      assert.strictEqual(approved.status, "approved")
      const suspended = yield* review.suspend(second, own.client.id, "Abuse.")
      assert.strictEqual(yield* code(review.resume(admin, own.client.id, suspended.version)), "own_app")
      assert.strictEqual((yield* review.resume(second, own.client.id, suspended.version)).status, "approved")
    }))

  it.effect("operators are one of the two, and no second one", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const { client } = yield* newClient(owner, { scopes: risky })
      assert.strictEqual((yield* review.approve(operator, client.id, 1)).status, "pending")
      assert.strictEqual((yield* review.approve(operator, client.id, 1)).status, "pending")
      assert.strictEqual((yield* review.approve(admin, client.id, 1)).status, "approved")
    }))

  it.effect("the second leaves out what the first did, or more", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const { client } = yield* newClient(owner, { scopes: [...risky, "BOOKING_READ", "BOOKING_WRITE"] })
      yield* review.approve(admin, client.id, 1, { without: ["BOOKING_WRITE"] })
      assert.strictEqual(yield* code(review.approve(second, client.id, 1)), "approved_without")
      const { scopes } = yield* review.approve(second, client.id, 1, { without: ["BOOKING_READ", "BOOKING_WRITE"] })
      assert.deepStrictEqual(scopes, risky.map((scope) => ScopeName.make(scope)))
      const other = yield* newClient(owner, { scopes: risky })
      assert.strictEqual(
        (yield* review.approve(admin, other.client.id, 1, { without: ["ORG_MEMBERSHIP_WRITE"] })).status,
        "approved"
      )
    }))

  it.effect("an edit forgets the first, and its reviewer may take it back", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const { client } = yield* newClient(owner, { scopes: risky })
      yield* review.approve(admin, client.id, 1)
      const edited = yield* registry.edit(owner, client.id, { purpose: "Another one." })
      assert.isTrue(Option.isNone(yield* review.firstApproval(edited)))
      assert.strictEqual((yield* review.approve(second, client.id, edited.version)).status, "pending")
      yield* TestClock.adjust("1 hour")
      yield* review.undo(second, client.id, edited.version)
      assert.isTrue(Option.isNone(yield* review.firstApproval(edited)))
      assert.strictEqual((yield* review.approve(admin, client.id, edited.version)).status, "pending")
    }))
})

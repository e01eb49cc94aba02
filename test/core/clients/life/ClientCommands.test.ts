import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

const notices = Effect.fnUntraced(function*(clientId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ payload: { event: string; reason?: string } }>`SELECT payload FROM outbox
    WHERE queue = 'review-notices' AND subject = ${`client:${clientId}`} ORDER BY id`
  return rows.map(({ payload: { event, reason } }) => reason === undefined ? event : `${event}: ${reason}`)
})

layer(Clients.Services)("A command on a client", (it) => {
  it.effect("keeps each decision, its audit entry and its notice together", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const audit = yield* AuditLog
      const { admin, owner } = yield* people
      const { client: { id } } = yield* Clients.newClient(owner)
      yield* review.reject(admin, id, "Too vague.", 1)
      yield* registry.edit(owner, id, { purpose: "Copies bookings into a calendar." })
      yield* review.approve(admin, id, 3)
      yield* registry.edit(owner, id, { scopes: ["BOOKING_READ", "BOOKING_WRITE"] })
      yield* review.reject(admin, id, "Why write?", 5)
      yield* review.undoRejection(admin, id, "I see why.", 6)
      yield* review.suspend(admin, id, "Abuse.")
      yield* review.resume(admin, id)

      assert.deepStrictEqual(yield* notices(id), [
        "submitted",
        "rejected: Too vague.",
        "resubmitted",
        "approved",
        "changed",
        "change-rejected: Why write?",
        "change-rejection-undone: I see why.",
        "suspended: Abuse.",
        "resumed"
      ])
      const trail = (yield* audit.list({ clientId: id })).toReversed()
      assert.deepStrictEqual(trail.map(({ action, actor }) => `${action} ${actor === admin ? "admin" : "owner"}`), [
        "client.registered owner",
        "secret.generated owner",
        "client.rejected admin",
        "client.resubmitted owner",
        "client.approved admin",
        "client.edited owner",
        "client.change_rejected admin",
        "client.change_rejection_undone admin",
        "client.suspended admin",
        "client.resumed admin"
      ])
      assert.strictEqual(trail[6]?.details["scopes"], "+BOOKING_WRITE")
    }))

  it.effect("tells the second of two administrators, and overwrites nothing", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const { client } = yield* Clients.newClient(owner)
      const results = yield* Effect.all([
        Effect.result(review.approve(admin, client.id, client.version)),
        Effect.result(review.reject(second, client.id, "No.", client.version))
      ], { concurrency: "unbounded" })
      assert.lengthOf(results.filter(({ _tag }) => _tag === "Success"), 1)
      const refused = results.flatMap((result) => result._tag === "Failure" ? [result.failure] : [])
      assert.deepStrictEqual(refused.map(({ code }) => code), ["version_conflict"])
      const kept = yield* review.get(client.id)
      assert.strictEqual(kept.version, 2)
      assert.lengthOf(yield* notices(client.id), 2)
    }))

  it.effect("does not let an approval pass over an edit that the administrator did not see", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const { client } = yield* Clients.newClient(owner)
      yield* registry.edit(owner, client.id, { redirectUris: ["https://evil.example/"] })
      const refused = yield* Effect.flip(review.approve(admin, client.id, client.version))
      assert.strictEqual(refused._tag, "Conflict")
      assert.strictEqual((yield* review.get(client.id)).status, "pending")
    }))

  it.effect("applies parallel edits one after the other", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { owner } = yield* people
      const { client } = yield* Clients.newClient(owner)
      const names = Array.from({ length: 20 }, (_, i) => `Name ${i}`)
      yield* Effect.forEach(names, (name) => registry.edit(owner, client.id, { name }), { concurrency: "unbounded" })
      assert.strictEqual((yield* review.get(client.id)).version, 21)
    }))
})

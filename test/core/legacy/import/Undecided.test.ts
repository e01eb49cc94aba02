import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { layer as server } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, apply, findings, jsonLines } from "./Scenario.ts"

const notices = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ payload: { clientId: string; event: string } }>`SELECT payload FROM outbox
    WHERE queue = 'review-notices' ORDER BY id`
  return rows.map(({ payload: { clientId, event } }) => `${clientId} ${event}`)
})

layer(server(), { timeout: 60_000 })("Apps on which the old server had not decided, or against which it had", (it) => {
  it.effect("wait in the queue since they were created, and reviewers are told", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const admin = yield* newAccount("admin", "admin")
      const review = yield* ClientReview
      const old = app(owner, { status: "pending", purpose: "Books rooms.", created_at: "2020-01-02T03:04:05Z" })
      const before = yield* notices
      yield* apply(jsonLines(old, app(owner)))
      assert.deepStrictEqual(yield* notices, [...before, `${old.client_id} submitted`])
      const [waiting] = (yield* review.queue({ state: "imported", search: old.client_id })).clients
      assert.deepInclude(waiting, {
        status: "pending",
        reviewedAt: null,
        rejectionReason: null,
        purpose: "Books rooms."
      })
      assert.strictEqual(waiting?.submittedAt.toString(), waiting?.createdAt.toString())
      const approved = yield* review.approve(admin, old.client_id, 1)
      assert.deepInclude(approved, { status: "approved", legacy: true })
    }))

  it.effect("are told their owner with the reason, or that there was none, and may be submitted again", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const registry = yield* ClientRegistry
      const told = app(owner, { status: "rejected", reason: "Say what it is for." })
      const untold = app(owner, { status: "rejected" })
      const suspended = app(owner, { status: "suspended", reason: "It was spam." })
      const approved = app(owner, { reason: "None of this holds any more." })
      yield* apply(jsonLines(told, untold, suspended, approved))
      const reasonOf = (id: string) =>
        Effect.map(registry.find(id), (found) => Option.getOrUndefined(found)?.rejectionReason)
      assert.strictEqual(yield* reasonOf(told.client_id), "Say what it is for.")
      assert.strictEqual(yield* reasonOf(untold.client_id), "Rejected before it was taken over.")
      assert.strictEqual(yield* reasonOf(suspended.client_id), "It was spam.")
      assert.strictEqual(yield* reasonOf(approved.client_id), null)
      const [mine] = (yield* registry.listOwned(owner)).filter(({ id }) => id === told.client_id)
      assert.strictEqual(mine?.status, "rejected")
      assert.strictEqual((yield* registry.resubmit(owner, told.client_id)).status, "pending")
    }))

  it.effect("have one of four states", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      assert.deepStrictEqual(yield* findings(jsonLines(app(owner, { status: "deleted" }))), [
        "1 wrong: status \"deleted\" must be pending, approved, rejected or suspended"
      ])
    }))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { manyRejections } from "../../../../src/core/clients/review/ManyRejections.ts"
import { queueFlags } from "../../../../src/core/clients/review/QueueFlags.ts"
import { ReviewDesk } from "../../../../src/core/clients/review/ReviewDesk.ts"
import type { QueueFilter } from "../../../../src/core/clients/review/ReviewQueue.ts"
import { ReviewNotice } from "../../../../src/foundation/jobs/kinds/ReviewNotice.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

/** Apps of the queue by name, as a reader with this filter sees them. */
const names = (filter: QueueFilter) =>
  Effect.gen(function*() {
    return (yield* (yield* ClientReview).queue(filter)).clients.map(({ name }) => name)
  })

/** An app that waits as it came from another server. */
const imported = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  const { client } = yield* Clients.newClient((yield* people).owner, { name })
  yield* sql`UPDATE clients SET legacy = true, scopes = '{}', optional_scopes = '{}' WHERE id = ${client.id}`
  return client
})

layer(Clients.Services)("the states of the queue", (it) => {
  it.effect("keep apps that nobody registered by hand apart, and lead to them at last", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const old = yield* imported("Came along")
      yield* TestClock.adjust("1 hour")
      const second = yield* imported("Came along, too")
      yield* TestClock.adjust("1 hour")
      const { client } = yield* Clients.newClient((yield* people).owner, { name: "By hand" })
      assert.deepStrictEqual(yield* names({}), ["By hand"])
      assert.deepStrictEqual(yield* names({ state: "imported" }), ["Came along", "Came along, too"])
      const { counts, facts } = yield* review.queue({ state: "imported" })
      assert.deepInclude(counts, { waiting: 1, risk3: 0, imported: 2, pending: 3 })
      assert.isTrue(facts.get(old.id)?.isImported)
      const { admin: reviewer, second: colleague } = yield* people
      const nextName = (id: string) =>
        Effect.gen(function*() {
          const found = yield* review.nextInQueue(reviewer, yield* review.get(id))
          return found._tag === "Some" ? found.value.name : undefined
        })
      assert.deepStrictEqual([yield* nextName(old.id), yield* nextName(second.id)], ["Came along, too", "Came along"])
      assert.strictEqual(yield* nextName(client.id), "Came along")
      const another = yield* Clients.newClient((yield* people).owner, { name: "By hand, too" })
      assert.strictEqual(yield* nextName(client.id), "By hand, too")
      // Another reviewer has taken it.
      yield* (yield* ReviewDesk).claim(colleague, another.client.id)
      assert.strictEqual(yield* nextName(client.id), "Came along")
      // Once its owner has chosen scopes, it is like any other.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE clients SET legacy = false, scopes = '{BOOKING_READ}', migrated_at = now() WHERE id = ${old.id}`
      assert.deepStrictEqual((yield* names({})).toSorted(), ["By hand", "By hand, too", "Came along"])
      assert.strictEqual(another.client.status, "pending")
    }))
})

layer(Clients.Services)("the list", (it) => {
  it.effect("says who has claimed an app, how long it waits without its owner's time, and what its owner had before", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const registry = yield* ClientRegistry
      const desk = yield* ReviewDesk
      const { admin, other, owner, second } = yield* people
      const changed = yield* Clients.approvedClient(owner, admin, { name: "Changed" })
      yield* registry.edit(owner, changed.id, { scopes: ["ORG_MEMBERSHIP_WRITE"] })
      const gone = (yield* Clients.newClient(owner, { name: "Rejected" })).client
      yield* review.reject(admin, gone.id, "No.", 1)
      const asked = (yield* Clients.newClient(other, { name: "Asked" })).client
      yield* desk.claim(admin, changed.id)
      yield* desk.claim(second, asked.id)
      yield* desk.ask(admin, asked.id, "Why?")
      yield* TestClock.adjust("4 days")
      yield* desk.answer(other, asked.id, "Because.")
      yield* TestClock.adjust("1 hour")
      const { counts, facts } = yield* review.queue({ reviewer: admin })
      assert.deepInclude(counts, { waiting: 2, changes: 1, risk3: 1, overdue: 1, mine: 0, asked: 0 })
      assert.deepInclude(facts.get(changed.id), {
        isOverdue: true,
        isAnswered: false,
        claim: null,
        ownerRecord: { approved: 1, rejected: 1, suspended: 0, apps: 2 }
      })
      const answered = facts.get(asked.id)
      assert.deepInclude(answered, {
        isOverdue: false,
        isAnswered: true,
        ownerRecord: { approved: 0, rejected: 0, suspended: 0, apps: 1 }
      })
      assert.deepStrictEqual(
        answered?.waitingSince,
        DateTime.subtract(yield* DateTime.now, { hours: 1 })
      )
      // Claims end by themselves.
      yield* desk.claim(admin, changed.id)
      yield* desk.claim(second, asked.id)
      const claimed = yield* review.queue({ reviewer: admin, state: "mine" })
      assert.deepStrictEqual([claimed.clients.map(({ name }) => name), claimed.counts.mine], [["Changed"], 1])
      assert.strictEqual(claimed.facts.get(changed.id)?.claim?.reviewer, admin)
      assert.deepStrictEqual(yield* names({ state: "mine" }), [])
      assert.deepStrictEqual(yield* names({ claimed: "no" }), [])
      assert.deepStrictEqual(yield* names({ claimed: "yes", state: "risk3" }), ["Changed"])
    }))

  it.effect("is narrowed by risk and area, and ordered by risk and owner", () =>
    Effect.gen(function*() {
      const { other, owner } = yield* people
      const add = (name: string, by: typeof owner, scopes: ReadonlyArray<string>) =>
        Effect.andThen(Clients.newClient(by, { name, scopes }), TestClock.adjust("1 minute"))
      yield* add("L1", owner, ["PROFILE_READ"])
      yield* add("L2", other, ["ORG_BOOKING_WRITE"])
      yield* add("L3", owner, ["BOOKING_WRITE"])
      yield* add("L4", other, ["WEBHOOK_WRITE", "PROFILE_READ"])
      const search = "L"
      const only = (filter: QueueFilter) =>
        Effect.map(names({ ...filter, search, owners: [] }), (all) => all.filter((name) => /^L\d$/.test(name)))
      assert.deepStrictEqual(yield* only({}), ["L1", "L2", "L3", "L4"])
      assert.deepStrictEqual(yield* only({ sort: "risk" }), ["L2", "L4", "L3", "L1"])
      assert.deepStrictEqual((yield* only({ sort: "owner" })).join(""), owner < other ? "L1L3L2L4" : "L2L4L1L3")
      assert.deepStrictEqual(
        yield* Effect.forEach(["0", "1", "2", "3"] as const, (risk) => only({ risk })),
        [["L1"], ["L3"], ["L4"], ["L2"]]
      )
      assert.deepStrictEqual(yield* only({ area: "bookings" }), ["L2", "L3"])
      assert.deepStrictEqual(yield* only({ area: "profile", risk: "2" }), ["L4"])
      assert.deepStrictEqual(yield* only({ area: "of another catalogue" }), [])
    }))

  it.effect("flags what an app shows by itself", () =>
    Effect.gen(function*() {
      const { admin, owner } = yield* people
      const { client } = yield* Clients.newClient(owner, {
        name: "Pаypal",
        redirectUris: ["https://elsewhere.test/callback"]
      })
      assert.deepStrictEqual(yield* queueFlags(client, owner), ["hosts_differ", "name_mixes_scripts", "own_app"])
      assert.deepStrictEqual(yield* queueFlags(client, admin), ["hosts_differ", "name_mixes_scripts"])
    }))
})

layer(Clients.Services)("many rejections", (it) => {
  it.effect("are a decision each, and one that has changed meanwhile is left out", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const sql = yield* SqlClient.SqlClient
      const reject = yield* manyRejections
      const { admin, second } = yield* people
      const apps = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => Effect.flatMap(Clients.newAccount("many"), (owner) => Clients.newClient(owner))
      )
      const chosen = apps.map(({ client: { id, version } }) => ({ id, version }))
      const [changed, decided, first] = apps.map(({ client }) => client)
      if (changed === undefined || decided === undefined || first === undefined) return assert.fail()
      yield* registry.edit(changed.ownerId, changed.id, { purpose: "Something else." })
      yield* review.approve(second, decided.id, 1)
      assert.strictEqual((yield* Effect.flip(reject(admin, chosen, " "))).code, "invalid_input")
      const { leftOut, rejected } = yield* reject(admin, chosen, "Please say more.")
      assert.strictEqual(rejected.length, 48)
      assert.deepStrictEqual(leftOut.map(({ code, id }) => [id, code]), [
        [changed.id, "version_conflict"],
        [decided.id, "version_conflict"]
      ])
      assert.strictEqual((yield* review.get(changed.id)).status, "pending")
      const notices =
        yield* sql`SELECT FROM outbox WHERE queue = ${ReviewNotice.queue} AND payload->>'event' = 'rejected'`
      assert.strictEqual(notices.length, 48)
      const entries = yield* (yield* AuditLog).list({ clientId: first.id, actions: ["client.rejected"] })
      assert.deepStrictEqual(entries.map(({ actor, details: { reason } }) => [actor, reason]), [
        [admin, "Please say more."]
      ])
      // One is undone by itself.
      yield* review.undo(admin, first.id, 2)
      assert.strictEqual((yield* review.queue({ state: "rejected" })).total, 47)
    }), 60_000)

  it.effect("are fifty at most", () =>
    Effect.gen(function*() {
      const reject = yield* manyRejections
      const { admin } = yield* people
      const chosen = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `none${at}`, version: 1 }))
      assert.strictEqual((yield* Effect.flip(reject(admin, chosen(51), "No."))).code, "invalid_input")
      const { leftOut, rejected } = yield* reject(admin, chosen(50), "No.")
      assert.deepStrictEqual([rejected.length, leftOut.length, leftOut[0]?.code], [0, 50, "client_not_found"])
    }))
})

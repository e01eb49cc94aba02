import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

layer(Clients.Services)("the review queue", (it) => {
  it.effect("lists what waits, the longest waiting first, and finds what was decided", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const changed = yield* Clients.approvedClient(owner, admin, { name: "Changed" })
      const settled = yield* Clients.approvedClient(owner, admin, { name: "100% settled" })
      const first = (yield* Clients.newClient(owner, { name: "First" })).client
      yield* TestClock.adjust("1 hour")
      yield* registry.edit(owner, changed.id, { website: "https://changed.example" })
      yield* TestClock.adjust("1 hour")
      const last = (yield* Clients.newClient(owner, { name: "Last" })).client

      const names = (filter: Parameters<typeof review.queue>[0]) =>
        Effect.map(review.queue(filter), ({ clients }) => clients.map(({ name }) => name))
      assert.deepStrictEqual(yield* names({}), ["First", "Changed", "Last"])
      assert.deepStrictEqual(yield* names({ state: "pending" }), ["First", "Last"])
      assert.deepStrictEqual(yield* names({ state: "approved" }), ["Changed", "100% settled"])
      assert.deepStrictEqual(yield* names({ state: "suspended" }), [])
      assert.deepStrictEqual(yield* names({ state: "all", search: "%" }), ["100% settled"])
      assert.deepStrictEqual(yield* names({ state: "all", search: "CHANGED" }), ["Changed"])
      assert.deepStrictEqual(yield* names({ state: "all", search: settled.id }), ["100% settled"])
      assert.deepStrictEqual(yield* names({ search: "nul\0" }), [])
      assert.deepStrictEqual(yield* names({ search: "'; DROP TABLE clients; --" }), [])
      const [waiting] = (yield* review.queue({ search: "Changed" })).clients
      assert.strictEqual(waiting?.change?.website, "https://changed.example")

      yield* Effect.forEach([first, last], ({ id, version }) => review.approve(admin, id, version))
      yield* registry.withdrawChange(owner, changed.id)
      assert.deepStrictEqual(yield* names({}), [])
    }))

  it.effect("finds apps by the host of a redirect URI, by scope and by owner, those of changes, too", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, other, owner } = yield* people
      const add = (name: string, input: Parameters<typeof Clients.newClient>[1]) =>
        Effect.map(Clients.newClient(owner, { name, ...input }), ({ client }) => client)
      yield* add("Hosted", { redirectUris: ["https://hooks.host-a.example:8443/callback?to=host-b.example"] })
      yield* add("Native", { kind: "public", redirectUris: ["com.example.native:/host-c.example"] })
      yield* add("Team", { scopes: ["PROFILE_READ", "TEAM_WORKFLOW_READ"] })
      const changed = yield* Clients.approvedClient(other, admin, { name: "Approved before" })
      yield* registry.edit(other, changed.id, {
        name: "Wants more",
        redirectUris: ["https://host-d.example/callback"],
        scopes: ["ORG_WEBHOOK_WRITE"]
      })

      const find = (search: string, owners: ReadonlyArray<UserId> = []) =>
        Effect.map(
          review.queue({ state: "all", search, owners }),
          ({ clients }) => clients.map(({ name }) => name).toSorted()
        )
      for (const search of ["host-a", "HOST-A.example:8443", "https://hooks.host-a.example:8443/call"]) {
        assert.deepStrictEqual(yield* find(search), ["Hosted"], search)
      }
      // Neither the path nor the query is the host.
      for (const search of ["host-b", "host-c"]) assert.deepStrictEqual(yield* find(search), [], search)
      assert.deepStrictEqual(yield* find("example.native"), ["Native"])
      for (const search of ["TEAM_WORKFLOW_READ", "team_workflow_"]) {
        assert.deepStrictEqual(yield* find(search), ["Team"], search)
      }
      assert.deepStrictEqual(yield* find("workflow"), [])
      // A scope of another catalogue or release is found by its whole name.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE clients SET scopes = scopes || '{notes.read}'::text[] WHERE name = 'Team'`
      assert.deepStrictEqual([yield* find("notes.read"), yield* find("notes.")], [["Team"], []])
      for (const search of ["Wants", "host-d", "ORG_WEBHOOK_"]) {
        assert.deepStrictEqual(yield* find(search), ["Approved before"], search)
      }
      assert.deepStrictEqual(yield* find("of no app", [other]), ["Approved before"])
    }))

  it.effect("counts what the search finds in each state", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const name = "To be counted"
      const [one, two, three] = yield* Effect.all(
        Array.from({ length: 3 }, () => Clients.newClient(owner, { name })),
        { concurrency: 1 }
      )
      yield* review.reject(admin, one?.client.id ?? "", "No.", 1)
      yield* review.approve(admin, two?.client.id ?? "", 1)
      const none = { changes: 0, risk3: 0, overdue: 0, mine: 0, asked: 0, imported: 0, reported: 0, ownerless: 0 }
      const counts = { ...none, waiting: 1, pending: 1, approved: 1, rejected: 1, suspended: 0, all: 3 }
      for (const state of ["waiting", "all", "suspended"] as const) {
        assert.deepStrictEqual((yield* review.queue({ state, search: "be counted" })).counts, counts)
      }
      yield* registry.edit(owner, two?.client.id ?? "", { website: "https://moved.example" })
      yield* review.approve(admin, three?.client.id ?? "", 1)
      yield* review.suspend(admin, three?.client.id ?? "", "Stop.")
      const { counts: after } = yield* review.queue({ search: name })
      assert.deepStrictEqual(after, {
        ...none,
        waiting: 1,
        changes: 1,
        pending: 0,
        approved: 1,
        rejected: 1,
        suspended: 1,
        all: 3
      })
    }))

  it.effect("goes by pages", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { owner } = yield* people
      for (let i = 0; i < 27; i++) {
        yield* TestClock.adjust("1 minute")
        yield* Clients.newClient(owner, { name: `Paged ${i}` })
      }
      const one = yield* review.queue({ search: "Paged" })
      assert.deepStrictEqual([one.clients.length, one.total, one.page, one.pages], [25, 27, 1, 2])
      const two = yield* review.queue({ search: "Paged", page: 2 })
      assert.deepStrictEqual(two.clients.map(({ name }) => name), ["Paged 25", "Paged 26"])
      assert.strictEqual((yield* review.queue({ search: "Paged", page: 99 })).page, 2)
      const [oldest] = one.clients
      assert.isTrue(oldest !== undefined && DateTime.isLessThan(oldest.submittedAt, yield* DateTime.now))
    }))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../src/core/clients/ClientRegistry.ts"
import * as Clients from "./Scenario.ts"
import { people } from "./Scenario.ts"

layer(Clients.Services)("the review queue", (it) => {
  it.effect("lists what waits, the longest waiting first, and finds what was decided", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { admin, owner } = yield* people
      const changed = yield* Clients.approvedClient(owner, admin, { name: "Changed" })
      const settled = yield* Clients.approvedClient(owner, admin, { name: "100% settled" })
      const first = (yield* Clients.newClient(owner, { name: "First" })).client
      yield* TestClock.adjust("1 hour")
      yield* registry.edit(owner, changed.id, { website: "https://changed.example" })
      yield* TestClock.adjust("1 hour")
      const last = (yield* Clients.newClient(owner, { name: "Last" })).client

      const names = (filter: Parameters<typeof registry.queue>[0]) =>
        Effect.map(registry.queue(filter), ({ clients }) => clients.map(({ name }) => name))
      assert.deepStrictEqual(yield* names({}), ["First", "Changed", "Last"])
      assert.deepStrictEqual(yield* names({ state: "pending" }), ["First", "Last"])
      assert.deepStrictEqual(yield* names({ state: "approved" }), ["Changed", "100% settled"])
      assert.deepStrictEqual(yield* names({ state: "suspended" }), [])
      assert.deepStrictEqual(yield* names({ state: "all", search: "%" }), ["100% settled"])
      assert.deepStrictEqual(yield* names({ state: "all", search: "CHANGED" }), ["Changed"])
      assert.deepStrictEqual(yield* names({ state: "all", search: settled.id }), ["100% settled"])
      assert.deepStrictEqual(yield* names({ search: "nul\0" }), [])
      assert.deepStrictEqual(yield* names({ search: "'; DROP TABLE clients; --" }), [])
      const [waiting] = (yield* registry.queue({ search: "Changed" })).clients
      assert.strictEqual(waiting?.change?.website, "https://changed.example")

      yield* Effect.forEach([first, last], ({ id, version }) => registry.approve(admin, id, version))
      yield* registry.withdrawChange(owner, changed.id)
      assert.deepStrictEqual(yield* names({}), [])
    }))

  it.effect("goes by pages", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const { owner } = yield* people
      for (let i = 0; i < 27; i++) {
        yield* TestClock.adjust("1 minute")
        yield* Clients.newClient(owner, { name: `Paged ${i}` })
      }
      const one = yield* registry.queue({ search: "Paged" })
      assert.deepStrictEqual([one.clients.length, one.total, one.page, one.pages], [25, 27, 1, 2])
      const two = yield* registry.queue({ search: "Paged", page: 2 })
      assert.deepStrictEqual(two.clients.map(({ name }) => name), ["Paged 25", "Paged 26"])
      assert.strictEqual((yield* registry.queue({ search: "Paged", page: 99 })).page, 2)
      const [oldest] = one.clients
      assert.isTrue(oldest !== undefined && DateTime.isLessThan(oldest.submittedAt, yield* DateTime.now))
    }))
})

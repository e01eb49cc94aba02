import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { demoApp } from "../../../../src/core/clients/life/DemoApp.ts"
import type { Client, ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { ClientsRepo } from "../../../../src/core/clients/records/ClientsRepo.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { approvedClient, newClient, people, Services } from "../Scenario.ts"

/** What an undone decision leaves as it was: all but which version it is, and of when. */
const lasting = (client: ManagedClient) => Struct.omit(client, ["updatedAt", "version"])

/** Notices about an app that have not been done. */
const notices = Effect.fnUntraced(function*({ id }: Client) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ payload: { event: string } }>`
    SELECT payload FROM outbox WHERE subject = ${`client:${id}`} ORDER BY id`
  return rows.map(({ payload }) => payload.event)
})

const added = ["BOOKING_READ", "PROFILE_READ", "BOOKING_WRITE"]

/** Makes each decision that can be undone of an app of its own. */
const decisions = Effect.gen(function*() {
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  const { admin, owner, second } = yield* people
  const fresh = Effect.map(newClient(owner), ({ client }) => client)
  const approved = approvedClient(owner, second)
  const changed = Effect.flatMap(
    approved,
    ({ id }) =>
      registry.edit(owner, id, { scopes: added, name: `Another ${id}`, redirectUris: ["https://new.example/cb"] })
  )
  const stopped = Effect.flatMap(approved, ({ id }) => review.suspend(second, id, "Abuse."))
  return {
    admin,
    owner,
    second,
    all: [
      [fresh, (it: ManagedClient) => review.approve(admin, it.id, it.version)],
      [fresh, (it: ManagedClient) => review.approve(admin, it.id, it.version, { without: ["BOOKING_READ"] })],
      [fresh, (it: ManagedClient) => review.reject(admin, it.id, "No.", it.version)],
      [changed, (it: ManagedClient) => review.approve(admin, it.id, it.version)],
      [changed, (it: ManagedClient) => review.approve(admin, it.id, it.version, { without: ["BOOKING_WRITE"] })],
      [changed, (it: ManagedClient) => review.reject(admin, it.id, "No.", it.version)],
      [changed, (it: ManagedClient) => review.suspend(admin, it.id, "Abuse.")],
      [stopped, (it: ManagedClient) => review.resume(admin, it.id)]
    ] as const
  }
})

layer(Services)("A reviewer's undoing of a decision", (it) => {
  it.effect("makes the app what it was, and nobody hears of the decision", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const repo = yield* ClientsRepo
      const { admin, all } = yield* decisions
      for (const [make, decide] of all) {
        const before = yield* make
        const told = yield* notices(before)
        yield* TestClock.adjust("1 minute")
        const decided = yield* decide(before)
        assert.notDeepEqual(lasting(decided), lasting(before))
        assert.deepStrictEqual((yield* notices(before)).length, told.length + 1)
        yield* TestClock.adjust("9 minutes")
        const undone = yield* review.undo(admin, before.id, decided.version)
        assert.deepStrictEqual(lasting(undone), lasting(before))
        assert.deepStrictEqual(lasting(Option.getOrThrow(yield* repo.get(before.id))), lasting(before))
        assert.strictEqual(undone.version, before.version + 2)
        assert.deepStrictEqual(yield* notices(before), told)
      }
    }), 30_000)

  it.effect("is refused when the time for it is over, when another decided, and when anything has happened since", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner, second } = yield* people
      const code = (by: UserId, { id, version }: Pick<ManagedClient, "id" | "version">) =>
        Effect.map(Effect.flip(review.undo(by, id, version)), (error) => error.code)

      const late = yield* approvedClient(owner, admin)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* code(admin, late), "decision_stands")

      const other = yield* approvedClient(owner, admin)
      assert.strictEqual(yield* code(second, other), "decided_by_another")
      assert.strictEqual(yield* code(admin, { ...other, version: 1 }), "version_conflict")
      const edited = yield* registry.edit(owner, other.id, { purpose: "Another one." })
      assert.strictEqual(yield* code(admin, edited), "nothing_to_undo")

      const twice = yield* approvedClient(owner, admin)
      assert.strictEqual(yield* code(admin, yield* review.undo(admin, twice.id, twice.version)), "nothing_to_undo")
      assert.deepStrictEqual(yield* review.undoable(second), [])
    }))

  it.effect("is offered for one's own last decisions, with the time until when", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const first = yield* approvedClient(owner, admin)
      const second = yield* approvedClient(owner, admin)
      const at = yield* DateTime.now
      const until = DateTime.add(at, { minutes: 10 })
      assert.deepStrictEqual(
        yield* review.undoable(admin),
        [second, first].map(({ id, name, version }) => ({ clientId: id, name, kind: "approved", at, until, version }))
      )
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(yield* review.undoable(admin), [])
    }))

  it.effect("of an app that two undo at once happens once", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const { id, version } = yield* approvedClient(owner, admin)
      const undo = Effect.result(review.undo(admin, id, version))
      const results = yield* Effect.all([undo, undo], { concurrency: 2 })
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
      assert.strictEqual((yield* review.get(id)).version, version + 1)
    }))

  it.effect("and the owner's edit at the same time end as one after the other would", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const { id, version } = yield* approvedClient(owner, admin)
      const [undone] = yield* Effect.all([
        Effect.result(review.undo(admin, id, version)),
        registry.edit(owner, id, { scopes: added })
      ], { concurrency: 2 })
      const client = yield* review.get(id)
      // The edit of a pending app needs no change; of an approved one it waits.
      if (undone._tag === "Success") {
        assert.deepInclude(client, { status: "pending", change: null, version: version + 2 })
        return
      }
      assert.strictEqual(undone.failure.code, "version_conflict")
      assert.isTrue(client.change?.isWaiting)
    }))

  it.effect("of a suspension leaves no trace of one, which a demo app would keep", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const demo = yield* demoApp
      const id = yield* demo.ensure(owner)
      const stopped = yield* review.suspend(admin, id, "A mistake.")
      yield* review.undo(admin, id, stopped.version)
      yield* registry.remove(owner, id)
      yield* demo.ensure(owner)
      assert.strictEqual((yield* review.get(id)).status, "approved")
    }))

  it.effect("keeps the logo of the version that comes back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, owner } = yield* people
      const { id } = yield* approvedClient(owner, admin)
      const digests = Effect.map(
        sql<{ digest: string }>`SELECT digest FROM logos WHERE client_id = ${id} ORDER BY digest`,
        (rows) => rows.map(({ digest }) => digest)
      )
      yield* sql`UPDATE clients SET logo_url = 'https://app.example/old.png', logo_digest = 'old' WHERE id = ${id}`
      const changed = yield* registry.edit(owner, id, { scopes: added })
      yield* sql`UPDATE client_changes SET logo_url = 'https://app.example/new.png', logo_digest = 'new'
        WHERE client_id = ${id}`
      for (const digest of ["old", "new"]) {
        yield* sql`INSERT INTO logos (digest, client_id, picture) VALUES (${digest}, ${id}, ''::bytea)`
      }
      const approved = yield* review.approve(admin, id, changed.version)
      assert.strictEqual(approved.logoDigest, "new")
      const undone = yield* review.undo(admin, id, approved.version)
      assert.strictEqual(undone.logoDigest, "old")
      assert.deepStrictEqual(yield* digests, ["new", "old"])
    }))
})

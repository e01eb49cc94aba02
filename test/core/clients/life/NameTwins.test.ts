import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { reviewChecks } from "../../../../src/core/clients/review/ReviewChecks.ts"
import { ClientId, type UserId } from "../../../../src/domain/Ids.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

const decided = Effect.fnUntraced(function*(id: string, action: string) {
  const [entry] = yield* (yield* AuditLog).list({ clientId: ClientId.make(id), actions: [action], limit: 1 })
  return entry?.details
})

const approve = (by: UserId, id: string, acceptTwins?: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const review = yield* ClientReview
    const { version } = yield* review.get(id)
    return yield* review.approve(by, id, version, { acceptTwins })
  })

const twinsOf = (by: UserId, id: string) =>
  Effect.gen(function*() {
    const client = yield* (yield* ClientReview).get(id)
    const found = yield* (yield* reviewChecks)(client, by)
    return found.flatMap(({ apps, cause }) => cause.check === "name_resembles" ? apps : [])
  })

layer(Clients.Services)("an app that users cannot tell from an approved one by its name", (it) => {
  it.effect("is approved with the reviewer's word for that one alone, which the trail keeps", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, other, owner } = yield* people
      const known = yield* Clients.approvedClient(owner, admin, { name: "Slot Board" })
      const elsewhere = yield* Clients.approvedClient(owner, admin, { name: "Something else" })
      const { client } = yield* Clients.newClient(other, { name: "ЅІot-Вoard" })
      for (const word of [undefined, [], [elsewhere.id], [client.id], [""]]) {
        const refused = yield* Effect.flip(approve(admin, client.id, word))
        assert.propertyVal(refused, "code", "name_resembles")
        assert.include(refused.message, `Slot Board (${known.id})`)
        assert.strictEqual((yield* review.get(client.id)).status, "pending")
      }
      assert.isUndefined(yield* decided(client.id, "client.approved"))
      yield* approve(admin, client.id, [elsewhere.id, known.id])
      assert.deepInclude(yield* decided(client.id, "client.approved"), { acceptedTwins: known.id })
      assert.notProperty(yield* decided(known.id, "client.approved"), "acceptedTwins")
    }))

  it.effect("may be the same owner's, or wait, or be refused, without a word", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, other, owner } = yield* people
      const first = yield* Clients.newClient(other, { name: "Free Name" })
      yield* review.reject(admin, first.client.id, "No.", 1)
      const second = yield* Clients.newClient(other, { name: "Free Name" })
      const third = yield* Clients.newClient(owner, { name: "free-name" })
      assert.deepStrictEqual(
        new Map((yield* twinsOf(admin, third.client.id)).map(({ id, status }) => [id, status])),
        new Map([[first.client.id, "rejected"], [second.client.id, "pending"]])
      )
      yield* approve(admin, third.client.id)
      const fourth = yield* Clients.newClient(owner, { name: "Free Name" })
      yield* approve(admin, fourth.client.id)
    }))

  it.effect("cannot take the name by a change", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { admin, other, owner } = yield* people
      const known = yield* Clients.approvedClient(owner, admin, { name: "Lunch Roulette" })
      const { id } = yield* Clients.approvedClient(other, admin, { name: "Harmless" })
      yield* registry.edit(other, id, { name: "Lunch R0ulette" })
      assert.deepInclude((yield* twinsOf(admin, known.id))[0], { id, name: "Harmless", wanted: true })
      assert.propertyVal(yield* Effect.flip(approve(admin, id)), "code", "name_resembles")
      assert.strictEqual((yield* review.get(id)).name, "Harmless")
      yield* approve(admin, id, [known.id])
      assert.deepInclude(yield* decided(id, "client.change_approved"), { acceptedTwins: known.id })
      // What keeps its name needs no second word.
      yield* registry.edit(other, id, { website: "https://else.example" })
      yield* approve(admin, id)
    }))

  it.effect("does not come back from a suspension under a name that was given away meanwhile", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, other, owner } = yield* people
      const { id } = yield* Clients.approvedClient(owner, admin, { name: "Night Shift" })
      yield* review.suspend(admin, id, "Abuse.")
      const heir = yield* Clients.newClient(other, { name: "Nightshift" })
      yield* approve(admin, heir.client.id)
      assert.propertyVal(yield* Effect.flip(review.resume(admin, id)), "code", "name_resembles")
      yield* review.resume(admin, id, undefined, { acceptTwins: [heir.client.id] })
      assert.deepInclude(yield* decided(id, "client.resumed"), { acceptedTwins: heir.client.id })
    }))

  it.effect("is not approved unseen by the second of two reviewers who decide at once", () =>
    Effect.gen(function*() {
      const { admin, other, owner, second } = yield* people
      const [one, two] = yield* Effect.all([
        Clients.newClient(owner, { name: "Race Day" }),
        Clients.newClient(other, { name: "Rасe Dау" })
      ])
      const exits = yield* Effect.all(
        [Effect.exit(approve(admin, one.client.id)), Effect.exit(approve(second, two.client.id))],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
    }))

  it.effect("is found however its name came into the database", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { admin, other, owner } = yield* people
      const { client } = yield* Clients.newClient(other, { name: "Wall Display" })
      assert.deepStrictEqual(yield* twinsOf(admin, client.id), [])
      // An import knows nothing of skeletons.
      const old = yield* Clients.approvedClient(owner, admin, { name: "Unlike" })
      yield* sql`UPDATE clients SET name = 'Wall Display' WHERE id = ${old.id}`
      assert.deepStrictEqual((yield* twinsOf(admin, client.id)).map(({ id }) => id), [old.id])
      yield* sql`UPDATE clients SET name = 'Unlike' WHERE id = ${old.id}`
      assert.deepStrictEqual(yield* twinsOf(admin, client.id), [])
      // As after an update of the table of look-alikes.
      yield* sql`UPDATE clients SET name = 'Wall Display' WHERE id = ${old.id}`
      yield* twinsOf(admin, client.id)
      yield* sql`UPDATE name_skeletons SET skeletons = '{unlike}', rules = 0 WHERE client_id = ${old.id}`
      assert.deepStrictEqual((yield* twinsOf(admin, client.id)).map(({ id }) => id), [old.id])
      const [{ plan } = { plan: "" }] = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SET LOCAL enable_seqscan = off`
        return yield* sql<{ plan: string }>`EXPLAIN (FORMAT json)
          SELECT client_id FROM name_skeletons WHERE skeletons && ARRAY['walldisplay']`.pipe(
          Effect.map((rows) => [{ plan: JSON.stringify(rows) }])
        )
      }))
      assert.include(plan, "name_skeletons_skeletons")
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { RegistrationDrafts } from "../../../../src/core/clients/life/RegistrationDrafts.ts"
import { registration } from "../Fixture.ts"
import { newAccount, Services } from "../Scenario.ts"

layer(Services)("RegistrationDrafts", (it) => {
  const fieldsOf = (owner: Effect.Success<ReturnType<typeof newAccount>>, id: string) =>
    Effect.flatMap(
      RegistrationDrafts,
      (drafts) => Effect.map(drafts.find(owner, id), Option.map(({ fields }) => fields))
    )

  it.effect("keeps fields beside those of other pages, and no more of them than can ever be valid", () =>
    Effect.gen(function*() {
      const { save } = yield* RegistrationDrafts
      const [owner, other, id] = [yield* newAccount("dev"), yield* newAccount("dev"), crypto.randomUUID()]
      yield* save(owner, id, { name: "Clock", tagline: null, redirectUris: ["https://a.example/"] })
      yield* save(owner, id, { name: "Wall Clock", scopes: ["BOOKING_READ"] })
      assert.deepStrictEqual(
        yield* fieldsOf(owner, id),
        Option.some({
          name: "Wall Clock",
          tagline: null,
          redirectUris: ["https://a.example/"],
          scopes: ["BOOKING_READ"]
        })
      )
      assert.isTrue(Option.isNone(yield* fieldsOf(other, id)))
      // The cut goes through a character.
      yield* save(owner, id, { purpose: `${"x".repeat(2_099)}${"😀".repeat(10)}` })
      assert.strictEqual(Option.getOrThrow(yield* fieldsOf(owner, id)).purpose, `${"x".repeat(2_099)}\uFFFD`)
    }))

  it.effect("keeps the twenty of an owner that were touched last, and those of others", () =>
    Effect.gen(function*() {
      const { list, ...drafts } = yield* RegistrationDrafts
      const save = (...args: Parameters<typeof drafts.save>) =>
        Effect.andThen(TestClock.adjust("1 second"), drafts.save(...args))
      const [owner, other] = [yield* newAccount("dev"), yield* newAccount("dev")]
      const ids = Array.from({ length: 22 }, () => crypto.randomUUID())
      yield* save(other, ids[0] ?? "", { name: "Other" })
      yield* Effect.forEach(ids.slice(0, 20), (id) => save(owner, id, { name: id }))
      // The oldest is touched again, so that the second goes.
      yield* save(owner, ids[0] ?? "", { name: "again" })
      yield* Effect.forEach(ids.slice(20), (id) => save(owner, id, { name: id }))
      const left = (yield* list(owner)).map(({ id }) => id)
      assert.sameMembers(left, [ids[0], ...ids.slice(3)])
      assert.strictEqual(left[0], ids[21])
      assert.lengthOf(yield* list(other), 1)
    }))

  it.effect("ends with the registration, and not with one that fails", () =>
    Effect.gen(function*() {
      const { save } = yield* RegistrationDrafts
      const registry = yield* ClientRegistry
      const [owner, id] = [yield* newAccount("dev"), crypto.randomUUID()]
      yield* save(owner, id, { name: "Clock" })
      yield* Effect.flip(registry.register(owner, { ...registration, name: "" }, id))
      assert.isTrue(Option.isSome(yield* fieldsOf(owner, id)))
      const { client } = yield* registry.register(owner, registration, id)
      assert.isTrue(Option.isNone(yield* fieldsOf(owner, id)))
      // The second click may bring less than the first one did.
      const again = yield* registry.register(owner, { ...registration, name: "" }, id)
      assert.deepStrictEqual([again.client.id, again.secret], [client.id, Option.none()])
    }))

  it.effect("reads what another release has kept", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [owner, id] = [yield* newAccount("dev"), crypto.randomUUID()]
      yield* sql`INSERT INTO registration_drafts (owner_id, id, fields, updated_at)
        VALUES (${owner}, ${id}, '{"name": "Clock", "colour": "red"}', now())`
      assert.deepStrictEqual(yield* fieldsOf(owner, id), Option.some({ name: "Clock" }))
    }))
})

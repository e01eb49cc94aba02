import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Catalogues, readByAll } from "../../../src/core/catalogue/Catalogues.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { hashOf } from "../../../src/domain/catalogue/file/CatalogueHash.ts"
import { read } from "../../../src/domain/catalogue/file/ReadCatalogue.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { fileOf } from "./Fixture.ts"

const Services = Catalogues.layer.pipe(Layer.provideMerge(AuditLog.layer), Layer.provideMerge(TestDatabase.layer))

const proposed = (file: CatalogueFile) => ({ file, isBuiltIn: false })
const operator = { actor: "cli" }
const first = fileOf({})
const second = fileOf({ "api.name": "Another API" })
const third = fileOf({ "api.name": "A third API" })

/** Begins with the first one in force. */
const begin = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM catalogues`
  yield* sql`DELETE FROM audit_log`
  const catalogues = yield* Catalogues
  yield* catalogues.adopt(proposed(first))
  const { inForce } = yield* catalogues.current
  if (inForce === undefined) throw new Error("no catalogue is in force")
  return { catalogues, inForce, sql }
})

const trail = Effect.gen(function*() {
  const entries = yield* (yield* AuditLog).list({})
  return entries.map(({ action, actor, details }) => `${actor} ${action} ${details["hash"]}`).toReversed()
})

layer(Services)("Catalogues", (it) => {
  it.effect("an empty database takes the first server's, and no other one by itself", () =>
    Effect.gen(function*() {
      const { catalogues, inForce } = yield* begin
      assert.strictEqual(inForce.hash, hashOf(first))
      yield* catalogues.adopt(proposed(second))
      assert.deepStrictEqual(yield* catalogues.current, { inForce, announced: undefined })
      assert.deepStrictEqual(yield* trail, [`slotkey catalogue.adopted ${hashOf(first)}`])
    }))

  it.effect("of two servers that are the first at the same time, one is", () =>
    Effect.gen(function*() {
      const { catalogues, sql } = yield* begin
      yield* sql`DELETE FROM catalogues`
      yield* Effect.forEach([first, second, third], (file) => catalogues.adopt(proposed(file)), {
        concurrency: "unbounded"
      })
      const rows = yield* sql`SELECT 1 FROM catalogues`
      assert.lengthOf(rows, 1)
    }))

  it.effect("announces one, and puts it into force when all nodes may have read that", () =>
    Effect.gen(function*() {
      const { catalogues, inForce } = yield* begin
      const announced = yield* catalogues.announce(proposed(second), inForce.id, operator)
      assert.deepStrictEqual(yield* catalogues.current, { inForce, announced })

      const early = yield* Effect.flip(catalogues.finish(operator))
      assert.strictEqual(early.code, "too_early")
      yield* TestClock.adjust(readByAll)
      yield* catalogues.finish(operator)

      const after = yield* catalogues.current
      assert.strictEqual(after.inForce?.id, announced.id)
      assert.isUndefined(after.announced)
      assert.deepStrictEqual(yield* trail, [
        `slotkey catalogue.adopted ${hashOf(first)}`,
        `cli catalogue.announced ${hashOf(second)}`,
        `cli catalogue.finished ${hashOf(second)}`
      ])
      assert.deepStrictEqual((yield* catalogues.history).map(({ hash }) => hash), [hashOf(first), hashOf(second)])
      assert.strictEqual((yield* Effect.flip(catalogues.finish(operator))).code, "nothing_announced")
    }))

  it.effect("takes an announcement back, which then was never in force", () =>
    Effect.gen(function*() {
      const { catalogues, inForce } = yield* begin
      yield* catalogues.announce(proposed(second), inForce.id, operator)
      yield* catalogues.withdraw(operator)
      assert.deepStrictEqual(yield* catalogues.current, { inForce, announced: undefined })
      assert.lengthOf(yield* catalogues.history, 1)
      assert.strictEqual((yield* Effect.flip(catalogues.withdraw(operator))).code, "nothing_announced")
      assert.deepStrictEqual((yield* trail).at(-1), `cli catalogue.withdrawn ${hashOf(second)}`)
    }))

  it.effect("tells the second of two administrators who announced which one when", () =>
    Effect.gen(function*() {
      const { catalogues, inForce } = yield* begin
      const both = yield* Effect.forEach(
        [second, third],
        (file) => Effect.result(catalogues.announce(proposed(file), inForce.id, operator)),
        { concurrency: "unbounded" }
      )
      const [won, ...more] = both.filter(Result.isSuccess)
      const [lost] = both.filter(Result.isFailure)
      assert.isEmpty(more)
      assert.strictEqual(lost?.failure.code, "catalogue_announced")
      assert.include(lost?.failure.message, `The catalogue ${won?.success.hash} is announced already, by cli at 1970-`)
    }))

  it.effect("refuses one that was compared to what is not in force any more", () =>
    Effect.gen(function*() {
      const { catalogues, inForce } = yield* begin
      yield* catalogues.announce(proposed(second), inForce.id, operator)
      yield* TestClock.adjust(readByAll)
      yield* catalogues.finish(operator)
      const error = yield* Effect.flip(catalogues.announce(proposed(third), inForce.id, operator))
      assert.strictEqual(error.code, "catalogue_changed")
      assert.isUndefined((yield* catalogues.current).announced)
    }))

  it.effect("nothing is changed without its entry in the trail", () =>
    Effect.gen(function*() {
      const { catalogues, inForce, sql } = yield* begin
      const undone = Effect.andThen(
        catalogues.announce(proposed(second), inForce.id, operator),
        Effect.fail("rolled back")
      )
      yield* Effect.ignore(sql.withTransaction(undone))
      assert.deepStrictEqual(yield* catalogues.current, { inForce, announced: undefined })
      assert.lengthOf(yield* trail, 1)
    }))

  it.effect("keeps the text of a catalogue so that it means the same when it is read again", () =>
    Effect.gen(function*() {
      const { catalogues, inForce } = yield* begin
      const text = yield* catalogues.document(inForce.id)
      const again = read(Buffer.from(Option.getOrThrow(text)), "the stored catalogue")
      assert.strictEqual(hashOf(Result.getOrThrow(again).file), hashOf(first))
    }))
})

// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Agreement } from "../../../src/core/catalogue/Agreement.ts"
import { CatalogueCheck, storedCatalogueCheck } from "../../../src/core/catalogue/CatalogueCheck.ts"
import { Catalogues, readByAll, ReadInterval } from "../../../src/core/catalogue/Catalogues.ts"
import { builtInFile } from "../../../src/domain/catalogue/BuiltIn.ts"
import { Catalogue, make } from "../../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { hashOf } from "../../../src/domain/catalogue/file/CatalogueHash.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { Readiness } from "../../../src/foundation/operator/Readiness.ts"
import { small } from "../../domain/catalogue/file/SmallCatalogue.ts"
import { eventually } from "../../support/Eventually.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { fileOf } from "./Fixture.ts"

const Database = Catalogues.layer.pipe(Layer.provideMerge(AuditLog.layer), Layer.provideMerge(TestDatabase.layer))

const first = fileOf({})
const second = fileOf({ "api.name": "Another API" })
const third = fileOf({
  operations: [...small.operations, { method: "GET", path: "/api/notes", access: "scope", scope: "contacts.read" }]
})
const operator = { actor: "cli" }

/** Runs a node with this catalogue over the database; `fleet` shares it with others. */
const node = <A, E>(
  file: CatalogueFile,
  kind: "embedded" | "fleet",
  test: Effect.Effect<A, E, Agreement | Readiness | Layer.Success<typeof Database>>
) =>
  Effect.scoped(Effect.gen(function*() {
    const settings = kind === "embedded" ? {} : { DATABASE_URL: "postgres://elsewhere/slotkey" }
    const Node = Layer.fresh(CatalogueCheck).pipe(
      Layer.provideMerge(Layer.merge(Layer.fresh(Agreement.layer), Layer.fresh(Readiness.layer))),
      Layer.provide(Layer.merge(AppConfig.layerTest(settings), Layer.succeed(Catalogue, make(file))))
    )
    return yield* Effect.provide(test, Node)
  }))

/** What the check finds. */
const found = Effect.gen(function*() {
  const { checks } = yield* (yield* Readiness).report
  // What was found is kept for a second.
  yield* TestClock.adjust("2 seconds")
  return { status: checks.catalogue?.status, detail: checks.catalogue?.detail ?? "" }
})

/** Status of the check, what it says but for times and actors, and how many other catalogues must allow a call. */
const seen = Effect.gen(function*() {
  const others = (yield* Agreement).standing().others.length
  const { detail, status } = yield* found
  return { status, detail: detail.replaceAll(/ (?:In force since|Announced at) \S+, by \w+\./g, ""), others }
})

const reads = Effect.flatMap(Agreement, ({ refresh }) => refresh)

const begin = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM catalogues`
  yield* sql`DELETE FROM audit_log`
})

const [one, two, three] = [first, second, third].map(hashOf)

layer(Database)("A node", (it) => {
  it.effect("brings its catalogue to an empty database", () =>
    Effect.gen(function*() {
      yield* begin
      const found = yield* node(first, "fleet", seen)
      assert.deepStrictEqual(found, { status: "ok", detail: `${one} is in force.`, others: 0 })
    }))

  it.effect("is not ready with another catalogue than the one in force, and says which", () =>
    Effect.gen(function*() {
      yield* begin
      yield* node(first, "fleet", Effect.void)
      const { detail, others, status } = yield* node(second, "fleet", seen)
      assert.deepStrictEqual([status, others], ["failed", 1])
      assert.include(detail, `This process has the catalogue ${two}, and ${one} is in force.`)
    }))

  it.effect("reads every few seconds what is in force", () =>
    Effect.gen(function*() {
      yield* begin
      yield* node(
        first,
        "fleet",
        Effect.gen(function*() {
          const catalogues = yield* Catalogues
          const { standing } = yield* Agreement
          const { inForce } = yield* catalogues.current
          yield* catalogues.announce({ file: second, isBuiltIn: false }, inForce?.id ?? "", operator)
          assert.isUndefined(standing().announced)
          yield* TestClock.adjust(ReadInterval)
          yield* TestClock.withLive(eventually(Effect.sync(() => standing().announced?.hash === two)))
        })
      )
    }))

  it.effect("learns of an announcement and of its end, with the old catalogue and with the new one", () =>
    Effect.gen(function*() {
      yield* begin
      yield* node(
        first,
        "fleet",
        Effect.gen(function*() {
          const old = yield* seen
          const catalogues = yield* Catalogues
          const { inForce } = yield* catalogues.current
          yield* catalogues.announce({ file: second, isBuiltIn: false }, inForce?.id ?? "", operator)
          assert.deepStrictEqual(yield* seen, old)

          yield* reads
          const detail = `${one} is in force, and ${two} is announced.`
          assert.deepStrictEqual(yield* seen, { status: "ok", detail, others: 1 })
          yield* node(
            second,
            "fleet",
            Effect.gen(function*() {
              const detail = `${two} is announced, and ${one} is in force.`
              assert.deepStrictEqual(yield* seen, { status: "ok", detail, others: 1 })
              yield* TestClock.adjust(readByAll)
              yield* catalogues.finish(operator)
              yield* reads
              assert.deepStrictEqual(yield* seen, { status: "ok", detail: `${two} is in force.`, others: 0 })
            })
          )
          // The node with the old one asks the new one as well, as long as anybody asks it.
          yield* reads
          const after = yield* seen
          assert.deepStrictEqual([after.status, after.others], ["failed", 1])
        })
      )
    }))

  it.effect("says since when and by whom, and that an announcement of yesterday was forgotten", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2027, 0, 31, 12))
      yield* begin
      yield* node(
        first,
        "fleet",
        Effect.gen(function*() {
          const since = "In force since 2027-01-31T12:00:00.000Z, by slotkey."
          assert.deepStrictEqual(yield* found, { status: "ok", detail: `${one} is in force. ${since}` })
          const catalogues = yield* Catalogues
          const { inForce } = yield* catalogues.current
          yield* TestClock.setTime(Date.UTC(2027, 0, 31, 13))
          yield* catalogues.announce({ file: second, isBuiltIn: false }, inForce?.id ?? "", operator)
          yield* reads
          const detail =
            `${one} is in force, and ${two} is announced. ${since} Announced at 2027-01-31T13:00:00.000Z, by cli.`
          assert.deepStrictEqual(yield* found, { status: "ok", detail })

          yield* TestClock.setTime(Date.UTC(2027, 1, 1, 13))
          assert.strictEqual((yield* found).status, "ok")
          yield* TestClock.setTime(Date.UTC(2027, 1, 1, 13, 1))
          const late = yield* found
          assert.strictEqual(late.status, "degraded")
          assert.match(
            late.detail,
            /^.* That is more than a day ago\. If all nodes have it: slotkey catalogue finish\./
          )
          yield* catalogues.withdraw(operator)
          yield* reads
          assert.strictEqual((yield* found).status, "ok")
        })
      )
    }))

  it.effect("that was off meanwhile finds what is in force when it starts", () =>
    Effect.gen(function*() {
      yield* begin
      yield* node(
        first,
        "fleet",
        Effect.gen(function*() {
          const catalogues = yield* Catalogues
          const { inForce } = yield* catalogues.current
          yield* catalogues.announce({ file: second, isBuiltIn: false }, inForce?.id ?? "", operator)
          yield* TestClock.adjust(readByAll)
          yield* catalogues.finish(operator)
        })
      )
      const { others, status } = yield* node(first, "fleet", seen)
      assert.deepStrictEqual([status, others], ["failed", 1])
      assert.strictEqual((yield* node(second, "fleet", seen)).status, "ok")
    }))

  it.effect("keeps to what it knew while the database is away", () =>
    Effect.gen(function*() {
      yield* begin
      const sql = yield* SqlClient.SqlClient
      yield* node(
        first,
        "fleet",
        Effect.gen(function*() {
          const catalogues = yield* Catalogues
          const { inForce } = yield* catalogues.current
          yield* catalogues.announce({ file: second, isBuiltIn: false }, inForce?.id ?? "", operator)
          yield* reads
          const known = yield* seen
          yield* TestDatabase.as("owner", (owner) => owner`ALTER TABLE catalogues RENAME TO away`)
          yield* reads
          assert.deepStrictEqual(yield* seen, known)
          yield* TestDatabase.as("owner", (owner) => owner`ALTER TABLE away RENAME TO catalogues`)
          yield* catalogues.withdraw(operator)
          yield* reads
          assert.deepStrictEqual(yield* seen, { status: "ok", detail: `${one} is in force.`, others: 0 })
        })
      )
      yield* sql`SELECT 1 FROM catalogues`
    }))

  it.effect("with its database inside puts a changed catalogue into force at once, and the trail says so", () =>
    Effect.gen(function*() {
      yield* begin
      yield* node(first, "embedded", Effect.void)
      const found = yield* node(third, "embedded", seen)
      assert.deepStrictEqual(found, { status: "ok", detail: `${three} is in force.`, others: 0 })
      const entries = yield* (yield* AuditLog).list({})
      assert.deepStrictEqual(entries.map(({ action, actor }) => `${actor} ${action}`).toReversed(), [
        "slotkey catalogue.adopted",
        "slotkey catalogue.announced",
        "slotkey catalogue.finished"
      ])
    }))

  it.effect("of a release with another built-in catalogue announces it, and an older release does not take it back", () =>
    Effect.gen(function*() {
      yield* begin
      const newer = builtInFile()
      const older = { ...newer, api: { ...newer.api, name: "As it was called before" } }
      const catalogues = yield* Catalogues
      yield* catalogues.adopt({ file: older, isBuiltIn: true })
      assert.strictEqual((yield* node(newer, "fleet", seen)).status, "ok")
      yield* TestClock.adjust(readByAll)
      yield* catalogues.finish(operator)
      assert.strictEqual((yield* catalogues.current).inForce?.hash, hashOf(newer))

      const { inForce } = yield* catalogues.current
      yield* catalogues.announce({ file: older, isBuiltIn: true }, inForce?.id ?? "", operator)
      yield* TestClock.adjust(readByAll)
      yield* catalogues.finish(operator)
      assert.strictEqual((yield* node(newer, "fleet", seen)).status, "failed")
      assert.isUndefined((yield* catalogues.current).announced)
    }))

  it.effect("is told what it would bring, and nothing is brought by asking", () =>
    Effect.gen(function*() {
      yield* begin
      const catalogues = yield* Catalogues
      const asked = (file: CatalogueFile, url = "postgres://elsewhere/slotkey") =>
        Effect.gen(function*() {
          const { detail, status } = yield* (yield* storedCatalogueCheck).probe
          return `${status}: ${detail}`
        }).pipe(Effect.provide(Layer.merge(
          AppConfig.layerTest(url === "" ? {} : { DATABASE_URL: url }),
          Layer.succeed(Catalogue, make(file))
        )))
      const newer = builtInFile()
      const older = { ...newer, api: { ...newer.api, name: "As it was called before" } }
      assert.strictEqual(yield* asked(newer), "ok: No catalogue is in force yet: the first server brings its own.")
      yield* catalogues.adopt({ file: older, isBuiltIn: true })
      assert.match(yield* asked(older), /^ok: .* is in force\. In force since /)
      assert.match(yield* asked(newer), /^degraded: .* announces its own when it starts, unless/)
      assert.match(yield* asked(first), /^failed: /)
      assert.match(yield* asked(first, ""), /^ok: .* puts its own into force when it starts\.$/)

      const { inForce } = yield* catalogues.current
      yield* catalogues.announce({ file: newer, isBuiltIn: true }, inForce?.id ?? "", operator)
      yield* TestClock.adjust(readByAll)
      yield* catalogues.finish(operator)
      // A release that was there before takes nothing back.
      assert.match(yield* asked(older), /^failed: /)
      assert.isUndefined((yield* catalogues.current).announced)
    }))

  it.effect("does not announce a file of an operator by itself", () =>
    Effect.gen(function*() {
      yield* begin
      const catalogues = yield* Catalogues
      yield* catalogues.adopt({ file: first, isBuiltIn: false })
      assert.strictEqual((yield* node(builtInFile(), "fleet", seen)).status, "failed")
      assert.strictEqual((yield* node(second, "fleet", seen)).status, "failed")
      assert.isUndefined((yield* catalogues.current).announced)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { GrantStore } from "../../../src/core/grants/GrantStore.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { openGrant, rotation, Services } from "./Scenario.ts"

const store = Layer.fresh(GrantStore.layer).pipe(Layer.provide(AppConfig.layerTest({})))

/** Number of times that this connection has read ahead and has not told the database's statistics yet. */
const calls = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly calls: number }>`
    SELECT coalesce(pg_stat_get_xact_function_calls('read_grants_ahead'::regproc), 0)::int AS calls`
  return row?.calls ?? 0
})

/** Statistics of the database that say what the test wants, for the rest of the transaction. */
const statistics = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SET LOCAL track_functions = 'pl'`
  yield* sql`CREATE SCHEMA told`
  yield* sql`CREATE TABLE told.pages (sought bigint, found bigint)`
  yield* sql`INSERT INTO told.pages VALUES (0, 0)`
  yield* sql`CREATE FUNCTION told.pg_stat_get_blocks_fetched(oid) RETURNS bigint LANGUAGE sql
    AS 'SELECT sought FROM told.pages'`
  yield* sql`CREATE FUNCTION told.pg_stat_get_blocks_hit(oid) RETURNS bigint LANGUAGE sql
    AS 'SELECT found FROM told.pages'`
  yield* sql`SET LOCAL search_path = told, pg_catalog, public`
  /** Lets ten seconds pass in which so many pages were needed, and so many of them found in memory. */
  return Effect.fnUntraced(function*(sought: number, found: number) {
    yield* sql`UPDATE told.pages SET sought = sought + ${sought}, found = found + ${found}`
    yield* TestClock.adjust("10 seconds")
  })
})

layer(Services)("Refreshes and checks", (it) => {
  it.effect("read their grants ahead as long as the memory of the database lacks them", () =>
    TestDatabase.as(
      "superuser",
      Effect.fnUntraced(function*(sql) {
        const grantId = yield* openGrant()
        yield* sql.withTransaction(Effect.gen(function*() {
          const pass = yield* statistics
          const { rotate, statusOf } = yield* Effect.provide(GrantStore, yield* Layer.build(store))
          let generation = 0
          const readsAhead = Effect.gen(function*() {
            const before = yield* calls
            const [rotated] = yield* rotate([rotation(grantId, generation++)])
            assert.strictEqual(rotated?._tag, "Rotated")
            const [found] = yield* statusOf([grantId])
            assert.strictEqual(found?.status, "usable")
            return (yield* calls) - before
          })
          assert.strictEqual(yield* readsAhead, 0)
          yield* pass(100, 96)
          assert.strictEqual(yield* readsAhead, 0)
          yield* pass(100, 50)
          assert.strictEqual(yield* readsAhead, 2)
          // Each page is sought twice now, and found the second time.
          yield* pass(100, 96)
          assert.strictEqual(yield* readsAhead, 2)
          yield* pass(100, 99)
          assert.strictEqual(yield* readsAhead, 0)
          yield* pass(100, 80)
          assert.strictEqual(yield* readsAhead, 2)
          // No request for ten seconds.
          yield* pass(0, 0)
          assert.strictEqual(yield* readsAhead, 0)
          // The statistics were reset.
          yield* pass(-200, -100)
          assert.strictEqual(yield* readsAhead, 0)
        }))
      })
    ))
})

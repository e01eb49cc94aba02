// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "../../../support/Eventually.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import * as TestPostgres from "../../../support/TestPostgres.ts"

/** A client of the database on these servers. */
const clientOf = (...servers: ReadonlyArray<TestPostgres.TestPostgres>) => {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`)
  return sqlAt(`postgres://postgres@${hosts.join(",")}/postgres`)
}

const sqlAt = (url: string) =>
  Effect.map(Layer.build(TestDatabase.at(url)), (context) => Context.get(context, SqlClient.SqlClient))

const succeeds = <A, E, R>(statement: Effect.Effect<A, E, R>) => eventually(Effect.isSuccess(statement))

const pair = Effect.gen(function*() {
  const primary = yield* TestPostgres.make
  return { primary, standby: yield* TestPostgres.standbyOf(primary) }
})

describe.skipIf(TestPostgres.missing !== undefined)("A database on several hosts", () => {
  it.live(
    "is used on its primary, wherever that stands in the address, and on the promoted standby",
    () =>
      Effect.gen(function*() {
        const { primary, standby } = yield* pair
        const sql = yield* clientOf(standby, primary)
        yield* sql`CREATE TABLE kept (n int)`
        yield* sql`INSERT INTO kept VALUES (1)`

        yield* primary.killAll
        // Until then, the standby is read.
        yield* eventually(
          Effect.orElseSucceed(Effect.map(sql`SELECT n FROM kept`, (rows) => rows.length === 1), () => false)
        )
        assert.isTrue(yield* Effect.isFailure(sql`INSERT INTO kept VALUES (2)`))
        const started = yield* clientOf(primary, standby)
        assert.deepStrictEqual(yield* started`SELECT n FROM kept`, [{ n: 1 }])

        yield* standby.promote
        yield* succeeds(sql`INSERT INTO kept VALUES (3)`)
        assert.deepStrictEqual(yield* sql`SELECT n FROM kept ORDER BY n`, [{ n: 1 }, { n: 3 }])
      }).pipe(Effect.scoped),
    120_000
  )

  it.live("is not used on a primary that comes back after another one was promoted", () =>
    Effect.gen(function*() {
      const { primary, standby } = yield* pair
      const sql = yield* clientOf(primary, standby)
      yield* sql`CREATE TABLE kept (n int)`
      yield* primary.killAll
      yield* standby.promote
      yield* succeeds(sql`INSERT INTO kept VALUES (1)`)
      yield* primary.start
      yield* succeeds(sql`INSERT INTO kept VALUES (2)`)
      const late = yield* clientOf(primary, standby)
      assert.deepStrictEqual(yield* late`SELECT n FROM kept ORDER BY n`, [{ n: 1 }, { n: 2 }])
    }).pipe(Effect.scoped), 120_000)

  it.live(
    "is written on its primary again when that comes back before anything was promoted",
    () =>
      Effect.gen(function*() {
        const { primary, standby } = yield* pair
        const sql = yield* clientOf(primary, standby)
        yield* sql`CREATE TABLE kept (n int)`
        yield* primary.killAll
        yield* succeeds(sql`SELECT n FROM kept`)
        yield* primary.start
        yield* succeeds(sql`INSERT INTO kept VALUES (1)`)
      }).pipe(Effect.scoped),
    120_000
  )

  it.effect("is looked for at once when a write is refused", () =>
    Effect.gen(function*() {
      const { primary, standby } = yield* TestClock.withLive(pair)
      const sql = yield* clientOf(primary, standby)
      yield* sql`CREATE TABLE kept (n int)`
      const write = sql`INSERT INTO kept VALUES (1)`
      const until = (ask: Effect.Effect<boolean>) => TestClock.withLive(eventually(ask))

      yield* primary.administer("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
      yield* until(Effect.isFailure(write))
      yield* TestClock.withLive(standby.promote)
      yield* TestClock.adjust("100 millis")
      yield* until(Effect.isSuccess(write))
    }).pipe(Effect.scoped), 120_000)

  it.live("is reached on sockets of this machine", () =>
    Effect.gen(function*() {
      const { primary, standby } = yield* pair
      const folders = [standby, primary].map(({ folder }) => encodeURIComponent(folder))
      const ports = [standby, primary].map(({ port }) => port)
      const sql = yield* sqlAt(`postgres://postgres@/postgres?host=${folders.join(",")}&port=${ports.join(",")}`)
      yield* sql`CREATE TABLE kept (n int)`
      assert.deepStrictEqual(yield* sql`SELECT inet_server_addr() AS address`, [{ address: null }])
    }).pipe(Effect.scoped), 120_000)
})

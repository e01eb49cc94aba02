// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../src/foundation/database/Database.ts"
import { outageOf } from "../../../src/foundation/database/Outages.ts"
import { StatementTimeout } from "../../../src/foundation/database/StatementTimeout.ts"
import { eventually } from "../../support/Eventually.ts"
import * as TcpProxy from "../../support/TcpProxy.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"

class Postgres extends Context.Service<Postgres, TestPostgres.TestPostgres>()(
  "slotkey/test/foundation/database/Connections.test/Postgres"
) {
  static readonly layer = Layer.effect(Postgres, TestPostgres.make)
}

/** Database behind a proxy of its own; `env` holds settings by their names in docs/operations/settings.md. */
const throughProxy = Effect.fnUntraced(function*(env: Readonly<Record<string, string>> = {}) {
  const url = new URL((yield* Postgres).url)
  const proxy = yield* TcpProxy.make(Number(url.port))
  url.port = String(proxy.port)
  const context = yield* Layer.build(
    Layer.provide(Database.layer, AppConfig.layerTest({ DATABASE_URL: url.href, ...env }))
  )
  return { proxy, sql: Context.get(context, SqlClient.SqlClient) }
})

describe("Connections to PostgreSQL", () => {
  if (TestPostgres.missing !== undefined) return it.skip(TestPostgres.missing)

  layer(Postgres.layer, { excludeTestServices: true, timeout: "2 minutes" })((it) => {
    it.effect("lead to the host and port of the URL, and are opened anew when they were cut", () =>
      Effect.gen(function*() {
        const { proxy, sql } = yield* throughProxy()
        assert.isAbove(yield* proxy.connections, 0)
        yield* proxy.cut
        yield* eventually(Effect.isSuccess(sql`SELECT 1`))
      }))

    it.effect("fail their statement when they fall silent, and are all replaced at once", () =>
      Effect.gen(function*() {
        const { proxy, sql } = yield* throughProxy({ REQUEST_TIMEOUT: "3 seconds" })
        const busy = Effect.forEach([1, 2, 3, 4, 5, 6], () => sql`SELECT pg_sleep(0.2)`, { concurrency: "unbounded" })
        yield* busy
        yield* proxy.silence
        const asked = yield* Clock.currentTimeMillis
        const error = yield* Effect.flip(sql`SELECT 1`)
        assert.isTrue(SqlError.isSqlError(error) && error.isRetryable)
        assert.isBelow((yield* Clock.currentTimeMillis) - asked, 3_000)
        // Any of them that was left would hold this up.
        yield* busy
      }))

    it.effect("fail a COMMIT as well, which cannot be interrupted, and let their place be taken", () =>
      Effect.gen(function*() {
        const { proxy, sql } = yield* throughProxy({ REQUEST_TIMEOUT: "3 seconds" })
        const committed = yield* Effect.exit(sql.withTransaction(Effect.andThen(sql`SELECT 1`, proxy.silence)))
        assert.isTrue(Exit.isFailure(committed))
        yield* Effect.forEach(Array.from({ length: 20 }, (_, n) => n), () => sql`SELECT 1`, {
          concurrency: "unbounded"
        })
      }))

    it.effect("give each statement the time of its class, and a slow one more than a short one", () =>
      Effect.gen(function*() {
        const { sql } = yield* throughProxy({ REQUEST_TIMEOUT: "1500 millis" })
        const slow = sql`SELECT pg_sleep(2)`
        const outage = outageOf(yield* Effect.flip(slow))
        assert.deepStrictEqual([outage?.name, outage?.isBrief], ["database silent", false])
        assert.strictEqual(outage?.reason, "the database server did not answer in time")
        yield* Effect.provideService(slow, StatementTimeout, Duration.seconds(30))
      }))

    it.effect("make room for the statements that wait for one while all of them are silent", () =>
      Effect.gen(function*() {
        const { proxy, sql } = yield* throughProxy({ REQUEST_TIMEOUT: "5 minutes" })
        const hold = yield* Effect.forkChild(
          Effect.exit(Effect.forEach(Array.from({ length: 10 }, (_, n) => n), () => sql`SELECT pg_sleep(60)`, {
            concurrency: "unbounded"
          }))
        )
        const other = yield* throughProxy()
        const active = other.sql`SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(60)'`
        yield* eventually(Effect.map(active, (rows) => rows.length === 10))
        yield* proxy.silence
        yield* Effect.provideService(sql`SELECT 1`, StatementTimeout, Duration.seconds(1))
        assert.isTrue(Exit.isFailure(yield* Fiber.join(hold)))
      }))

    it.effect("let the server end what a vanished node left open", () =>
      Effect.gen(function*() {
        const { sql } = yield* throughProxy()
        const rows = yield* sql`SELECT name, setting FROM pg_settings
          WHERE source = 'client' AND name ~ '^(tcp|idle|client_conn)' ORDER BY name`
        assert.deepStrictEqual(rows, [
          { name: "client_connection_check_interval", setting: "5000" },
          { name: "idle_in_transaction_session_timeout", setting: "8000" },
          { name: "tcp_keepalives_count", setting: "3" },
          { name: "tcp_keepalives_idle", setting: "10" },
          { name: "tcp_keepalives_interval", setting: "5" },
          { name: "tcp_user_timeout", setting: "20000" }
        ])
      }))
  })
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import * as Testing from "../../src/testing.ts"
import { newAccount } from "../core/clients/Scenario.ts"
import { slotkey } from "../support/Cli.ts"
import { eventually } from "../support/Eventually.ts"
import * as TestPgBouncer from "../support/TestPgBouncer.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { approvedApp } from "../support/TestServer.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const server = (env: Readonly<Record<string, string>>) =>
  Layer.mergeAll(Testing.layer(env), HttpServer.layerServices).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(AppConfig.layerTest(env)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )

describe.skipIf(TestPgBouncer.missing !== undefined)("A server behind PgBouncer in transaction mode", () => {
  it.live(
    "serves all that it serves without, with workers and commands on PostgreSQL itself",
    () =>
      Effect.gen(function*() {
        const postgres = yield* TestPostgres.make
        const smtp = yield* TestSmtp.make
        const env = {
          DATABASE_URL: yield* TestPgBouncer.before(postgres),
          DATABASE_POOLER: "transaction",
          DATABASE_DIRECT_URL: postgres.url,
          SMTP_URL: smtp.url,
          REVIEW_UNDO_WINDOW: "0 seconds",
          BASE_URL: "https://slotkey.test",
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64url")
        }
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const many = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
            Effect.forEach(Array.from({ length: 60 }), () => effect, { concurrency: "unbounded" })
          const pids = yield* many(sql<{ pid: number }>`SELECT pg_backend_pid() AS pid, pg_sleep(0.01)`)
          assert.isAtMost(new Set(pids.map(([row]) => row?.pid)).size, TestPgBouncer.poolSize)

          const app = yield* approvedApp()
          const tokens = yield* many(app.tokens())
          const refreshed = yield* Effect.forEach(
            tokens,
            ({ refresh_token: token }) => app.refresh(token),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual([...new Set(refreshed.map(({ status }) => status))], [200])
          const me = yield* Effect.forEach(
            refreshed,
            ({ json }) => app.me(json["access_token"]),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual([...new Set(me.map(({ status }) => status))], [200])
          const [first] = refreshed
          yield* app.post("/v2/auth/oauth2/revoke", { ...app.credentials, token: String(first?.json["refresh_token"]) })
          assert.strictEqual((yield* app.refresh(first?.json["refresh_token"])).status, 400)

          // Keys are made one after the other, under a lock.
          const apiKeys = yield* ApiKeys
          const developer = yield* newAccount("developer")
          const made = yield* Effect.forEach(
            Array.from({ length: 30 }),
            () => Effect.isSuccess(apiKeys.create(developer, "a key", developer)),
            { concurrency: "unbounded" }
          )
          const { length } = yield* apiKeys.list(developer)
          assert.strictEqual(made.filter((succeeded) => succeeded).length, length)

          const listed = yield* slotkey(["accounts", "list"], { env })
          assert.strictEqual(listed.code, 0, listed.stderr)
          yield* WorkerProcess.start(env)
          yield* eventually(Effect.sync(() => smtp.received.some(({ to }) => to.startsWith(app.owner))))
          const direct = yield* sql`SELECT 1 FROM pg_stat_activity WHERE application_name = 'slotkey-jobs'`
          assert.isAbove(direct.length, 0)
        }).pipe(Effect.scoped, Effect.provide(server(env)))
      }).pipe(Effect.scoped),
    240_000
  )
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ServerFigures from "../../../src/foundation/database/ServerFigures.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"

describe("The figures of the database server", () => {
  it.live("are there whatever it is, and nothing lags where there is no standby", () =>
    Effect.gen(function*() {
      const { most, open } = yield* ServerFigures.sessions
      assert.isAbove(open, 0)
      assert.isAbove(most, open)
      assert.strictEqual(yield* ServerFigures.replicationLag, 0)
    }).pipe(Effect.provide(TestDatabase.layer)))

  it.live.skipIf(TestPostgres.missing !== undefined)(
    "tell a role without rights of its sessions, and of a standby that is away and has a slot",
    () =>
      Effect.gen(function*() {
        const postgres = yield* TestPostgres.make
        yield* postgres.administer(
          "ALTER SYSTEM SET superuser_reserved_connections = 5",
          "CREATE ROLE plain LOGIN",
          "CREATE DATABASE plain OWNER plain",
          "SELECT pg_create_physical_replication_slot('gone', true)"
        )
        yield* postgres.kill
        yield* postgres.start
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          assert.strictEqual((yield* ServerFigures.sessions).most, 95)
          yield* sql`CREATE TABLE written AS SELECT repeat('text', 100) FROM generate_series(1, 10000)`
          assert.isAbove(yield* ServerFigures.replicationLag, 1_000_000)
        }).pipe(
          Effect.provide(TestDatabase.at(postgres.url.replace("postgres@", "plain@").replace(/postgres$/, "plain")))
        )
      }).pipe(Effect.scoped),
    120_000
  )
})

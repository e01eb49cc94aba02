import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { inTransaction } from "../../../src/foundation/database/InTransaction.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const counted = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM resource_servers`).length
})

const insert = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO resource_servers (id, name, digest, last_four, created_at)
    VALUES (${crypto.randomUUID()}, 'A server', ${new Uint8Array(32)}, 'abcd', now())`
})

layer(TestDatabase.layer)("inTransaction", (it) => {
  it.effect("undoes the work with an error, which stays what it is", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* counted
      const error: "no room" = yield* Effect.flip(
        Effect.andThen(insert, Effect.fail("no room" as const)).pipe(inTransaction(sql))
      )
      assert.strictEqual(error, "no room")
      assert.strictEqual(yield* counted, before)
    }))

  it.effect("undoes the work with a failure of the database, which is a defect", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* counted
      const work: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.andThen(insert, sql`SELECT 1 / 0`).pipe(
        Effect.asVoid,
        inTransaction(sql)
      )
      const exit = yield* Effect.exit(work)
      assert.isTrue(Exit.isFailure(exit) && SqlError.isSqlError(Cause.squash(exit.cause)))
      assert.strictEqual(yield* counted, before)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as TransactionLock from "../../../src/foundation/database/TransactionLock.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

layer(TestDatabase.layer)("A lock of a transaction", (it) => {
  it.effect("has the key that nodes of an earlier release know, and ends with its transaction", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const held = sql<{ key: string }>`
        SELECT ((classid::bigint << 32) | objid::bigint)::text AS key FROM pg_locks
        WHERE locktype = 'advisory' AND pid = pg_backend_pid() ORDER BY key`
      const [hashed] = yield* sql<{ key: string }>`SELECT hashtext('clients ada')::bigint::text AS key`
      const locked = yield* sql.withTransaction(Effect.gen(function*() {
        yield* TransactionLock.take(sql, "imports")
        yield* TransactionLock.take(sql, "reviewDigests")
        yield* TransactionLock.take(sql, "clients ada")
        return yield* held
      }))
      assert.sameMembers(locked.map(({ key }) => key), ["5617001", "5617004", hashed?.key])
      assert.isEmpty(yield* held)
    }))
})

import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { MasterKeyError } from "./MasterKey.ts"

/** Columns of rooms above, in tables with this key, that hold secrets which the master key has sealed. */
const columns = [
  { table: "event_endpoints", key: "client_id", column: "secret" },
  { table: "event_endpoints", key: "client_id", column: "previous_secret" },
  { table: "client_secrets", key: "id", column: "sealed" }
] as const

/** Sealed secrets that are no keys of the server: a new master key seals them as well, or nothing could open them. */
export const sealedColumns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  /**
   * Reseals every secret and answers their number; one that was replaced meanwhile is sealed under the new key. One
   * that cannot be unsealed is lost, and holds nothing up: its owner makes another.
   */
  const reseal = Effect.fn("SealedColumns.reseal")(
    function*(seal: (sealed: string) => Effect.Effect<string, MasterKeyError>) {
      let count = 0
      for (const { column, key, table } of columns) {
        const rows = yield* Effect.orDie(
          sql<{ readonly id: string; readonly sealed: string }>`SELECT ${sql(key)} AS id, ${sql(column)} AS sealed
            FROM ${sql(table)} WHERE ${sql(column)} IS NOT NULL`
        )
        for (const { id, sealed } of rows) {
          const resealed = yield* Effect.result(seal(sealed))
          if (Result.isFailure(resealed)) {
            yield* Effect.logWarning("A sealed secret of an app cannot be unsealed", { table, id })
            continue
          }
          yield* Effect.orDie(sql`UPDATE ${sql(table)} SET ${sql(column)} = ${resealed.success}
            WHERE ${sql(key)} = ${id} AND ${sql(column)} = ${sealed}`)
          count++
        }
      }
      return count
    }
  )

  return { reseal }
})

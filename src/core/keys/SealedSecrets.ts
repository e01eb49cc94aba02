import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Columns of rooms above, in tables with this key, that hold secrets which the master key has sealed. */
const columns = [
  { table: "event_endpoints", key: "client_id", column: "secret" },
  { table: "event_endpoints", key: "client_id", column: "previous_secret" }
] as const

/** Sealed secrets that are no keys of the server: a new master key seals them as well, or nothing could open them. */
export const sealedSecrets = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  /** Reseals every secret and answers their number; one that was replaced meanwhile is sealed under the new key. */
  const reseal = Effect.fn("SealedSecrets.reseal")(
    function*<E, R>(seal: (sealed: string) => Effect.Effect<string, E, R>) {
      let count = 0
      for (const { column, key, table } of columns) {
        const rows = yield* Effect.orDie(
          sql<{ readonly id: string; readonly sealed: string }>`SELECT ${sql(key)} AS id, ${sql(column)} AS sealed
            FROM ${sql(table)} WHERE ${sql(column)} IS NOT NULL`
        )
        for (const { id, sealed } of rows) {
          const resealed = yield* seal(sealed)
          yield* Effect.orDie(sql`UPDATE ${sql(table)} SET ${sql(column)} = ${resealed}
            WHERE ${sql(key)} = ${id} AND ${sql(column)} = ${sealed}`)
        }
        count += rows.length
      }
      return count
    }
  )

  return { reseal }
})

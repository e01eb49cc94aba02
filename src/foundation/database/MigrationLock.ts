import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

const numbers = { schema: 1, indexes: 2 }

/**
 * Does the work unless another process is at it, and tells if it did. The lock is asked for and not waited for:
 * PostgreSQL builds an index concurrently only when all older statements are over, and one that waits is never over.
 *
 * The connections to an embedded database share one session, for which the lock is always free. Its transactions come
 * one after the other anyway.
 */
export const ifFree = <E, R>(
  purpose: keyof typeof numbers,
  work: Effect.Effect<void, E, R>
): Effect.Effect<boolean, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.scoped(Effect.gen(function*() {
    const session = yield* (yield* SqlClient.SqlClient).reserve
    const call = (name: string) => session.executeValues(`SELECT ${name}(${area}, ${numbers[purpose]})`, [])
    const [row] = yield* Effect.acquireRelease(
      call("pg_try_advisory_lock"),
      ([row]) => row?.[0] === true ? Effect.ignore(call("pg_advisory_unlock")) : Effect.void
    )
    if (row?.[0] !== true) return false
    yield* work
    return true
  }))

// `SLKY`, so that other programs on the same database do not meet these locks by chance.
const area = 0x534c4b59

import { Effect, type Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "./Eventually.ts"

/** Waits until the fiber has ended or waits for a row that another transaction has locked. */
export const blockedOrDone = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function*() {
    const waiting = Effect.map(waitingConnections, (count) => count > 0 || fiber.pollUnsafe() !== undefined)
    yield* TestClock.withLive(eventually(waiting))
  })

/** Waits until this many connections wait for rows that others have locked. */
export const waitingForLocks = (connections: number) =>
  TestClock.withLive(eventually(Effect.map(waitingConnections, (count) => count === connections)))

const waitingConnections = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return rows.length
})

import { Effect, type Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "./Eventually.ts"

/** Waits until the fiber has ended or waits for a row that another transaction has locked. */
export const blockedOrDone = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const waiting = Effect.map(
      sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      (rows) => rows.length > 0 || fiber.pollUnsafe() !== undefined
    )
    yield* TestClock.withLive(eventually(waiting))
  })

import type { PgConnection, PgPool } from "@effect/sql-pg"
import { Effect, Metric } from "effect"
import { Histogram } from "../operator/Histogram.ts"
import { register } from "../operator/Series.ts"
import type { HeardSockets } from "./hosts/HeardSockets.ts"

type Loans = Pick<PgPool.PgPool, "get" | "reserve" | "use">

/** A pool that counts its connections and how long statements wait for one. */
export const measured = Effect.fnUntraced(function*(pool: PgPool.PgPool, sockets: HeardSockets) {
  const waits = new Histogram(boundaries)
  let used = 0
  yield* register(connectionWait, () => waits.state())
  yield* register(connections("used"), () => ({ value: used }))
  yield* register(connections("idle"), () => ({ value: Math.max(0, sockets.count - used) }))

  const takes = (loan: Loan) => {
    loan.isTaken = true
    used++
    waits.observe((performance.now() - loan.asked) / 1000)
  }
  const returns = (loan: Loan) => {
    if (loan.isTaken) used--
    return Effect.void
  }
  // Noted before the connection is asked for, so that an interruption in between leaves nothing counted.
  const scoped = (ask: Loans["get"]): Loans["get"] =>
    Effect.suspend(() => {
      const loan = newLoan()
      const lent = Effect.tap(ask, () => Effect.sync(() => takes(loan)))
      return Effect.andThen(Effect.addFinalizer(() => returns(loan)), lent)
    })
  const use = <A, E, R>(f: (connection: PgConnection.PgConnection) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const loan = newLoan()
      const lent = pool.use((connection) => {
        takes(loan)
        return f(connection)
      })
      return Effect.onExit(lent, () => returns(loan))
    })

  return { get: scoped(pool.get), reserve: scoped(pool.reserve), use } satisfies Loans
})

interface Loan {
  /** Time by `performance.now()`. */
  readonly asked: number
  isTaken: boolean
}

const newLoan = (): Loan => ({ asked: performance.now(), isTaken: false })

const connections = (state: "used" | "idle") =>
  Metric.gauge("slotkey_database_connections", {
    description: "Connections to the database, of which a process has 10 at most",
    attributes: { state }
  })

const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const connectionWait = Metric.histogram("slotkey_database_connection_wait_seconds", {
  description: "Time that statements and transactions wait for a connection, with the time to open one",
  boundaries
})

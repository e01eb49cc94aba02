import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient, Statement } from "effect/sql"

/**
 * Clock of this machine. While Effect's clock is this one, the database's clock counts; a test that sets Effect's clock
 * sets the time of statements as well. A test of a node whose clock is wrong provides both.
 */
export const MachineClock = Context.Reference<Clock.Clock>("slotkey/foundation/database/DatabaseClock/MachineClock", {
  defaultValue: () => Context.get(Context.empty(), Clock.Clock)
})

/** Time of a test if it has set Effect's clock, else of the database: one text for both. */
const expression = (databaseTime: string): Effect.Effect<Statement.Fragment> => {
  const at = (millis: number | null) =>
    Statement.fragment([
      Statement.literal("coalesce("),
      Statement.parameter(PgTypes.timestamptz(millis)),
      Statement.literal(`, ${databaseTime})`)
    ])
  const usual = at(null)
  return Effect.withFiberSucceed((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    return clock === fiber.getRef(MachineClock) ? usual : at(clock.currentTimeMillisUnsafe())
  })
}

/**
 * One clock by which rows are judged, the database's. Nodes whose own clocks differ agree on it, and a statement that
 * was held up on its way to the database still reads the right time (docs/decisions/clock.md).
 *
 * Statements ask the database with `statementNow` and `statementStart`. What a node decides without a statement, such
 * as the expiry of an access token, it decides with `now`.
 */
export class DatabaseClock extends Context.Service<DatabaseClock, {
  /** Time of the database as this node knows it: its own time and the measured offset. */
  readonly now: Effect.Effect<DateTime.Utc>
  /** Runs a statement whose rows contain the time at which the database handled it, and learns from that. */
  readonly observe: <Row, E, R>(
    statement: Effect.Effect<ReadonlyArray<Row>, E, R>,
    timeOf: (row: Row) => Date
  ) => Effect.Effect<ReadonlyArray<Row>, E, R>
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  readonly offsetMillis: Effect.Effect<number>
}>()("slotkey/foundation/database/DatabaseClock") {
  /** When the database evaluates the expression: for `SET`, after the row was locked. */
  static readonly statementNow: Effect.Effect<Statement.Fragment> = expression("clock_timestamp()")

  /** When the database received the statement; unlike the other, it can be compared along an index. */
  static readonly statementStart: Effect.Effect<Statement.Fragment> = expression("statement_timestamp()")

  static readonly layer: Layer.Layer<DatabaseClock, never, SqlClient.SqlClient> = Layer.effect(
    DatabaseClock,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const machine = yield* MachineClock
      const offset = new MeasuredOffset()
      let isFar = false

      const now = Effect.clockWith((clock) =>
        Effect.succeed(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe() + (clock === machine ? offset.millis : 0)))
      )

      const warnOnChange = Effect.suspend(() => {
        if (isFar === Math.abs(offset.millis) > farMillis) return Effect.void
        isFar = !isFar
        return isFar
          ? Effect.logWarning(differenceText(offset.millis))
          : Effect.logInfo("The clock of this machine agrees with the database's again")
      })

      const observe = <Row, E, R>(
        statement: Effect.Effect<ReadonlyArray<Row>, E, R>,
        timeOf: (row: Row) => Date
      ): Effect.Effect<ReadonlyArray<Row>, E, R> =>
        Effect.clockWith((clock) => {
          if (clock !== machine) return statement
          const sentAt = performance.now()
          return Effect.tap(statement, ([row]) => {
            if (row === undefined) return Effect.void
            offset.add(timeOf(row).getTime(), clock.currentTimeMillisUnsafe(), sentAt, performance.now())
            return warnOnChange
          })
        })

      // An idle node learns from these. A sample that fails is followed by the next one.
      const sample = Effect.ignore(
        observe(sql<{ readonly now: Date }>`SELECT clock_timestamp() AS now`, ({ now }) => now)
      )
      if ((yield* Clock.Clock) === machine) {
        yield* sample
        yield* Effect.forkScoped(Effect.repeat(Effect.delay(sample, sampleInterval), Schedule.forever))
      }

      return DatabaseClock.of({ now, observe, offsetMillis: Effect.sync(() => offset.millis) })
    })
  )
}

/**
 * Offset of the database's clock from this machine's. A sample is as certain as its round trip was short, so one that
 * was held up changes nothing, however long; certainty fades, because clocks drift.
 */
class MeasuredOffset {
  millis = 0
  #uncertainty = Infinity
  #measuredAt = 0

  /** Adds a sample. `sentAt` and `receivedAt` are monotonic; `machineTime` was read at the receipt. */
  add(databaseTime: number, machineTime: number, sentAt: number, receivedAt: number): void {
    const uncertainty = (receivedAt - sentAt) / 2 + 1
    const millis = Math.round(databaseTime - machineTime + (receivedAt - sentAt) / 2)
    const known = this.#uncertainty + (receivedAt - this.#measuredAt) * drift
    // Samples that cannot both be right show that a clock was set.
    if (uncertainty > known && Math.abs(millis - this.millis) <= uncertainty + known) return
    this.millis = millis
    this.#uncertainty = uncertainty
    this.#measuredAt = receivedAt
  }
}

/** Difference of the clocks in words for operators. */
export const differenceText = (offsetMillis: number): string => {
  const seconds = Math.round(Math.abs(offsetMillis) / 1000)
  return `The clock of this machine is ${seconds} s ${
    offsetMillis < 0 ? "ahead of" : "behind"
  } the database's, which counts`
}

/** Clocks that differ by more are reported to the operator. */
export const farMillis = 5_000

const sampleInterval = Duration.minutes(1)

// Ordinary quartz drifts by less than 0.1 ms a second.
const drift = 0.0001

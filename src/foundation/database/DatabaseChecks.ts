import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OpenOutages } from "../log/OutageLog.ts"
import { type Check, degraded, failed, type Finding, ok, probeLimit, Readiness } from "../operator/Readiness.ts"
import { DatabaseClock, differenceText, farMillis } from "./DatabaseClock.ts"
import { smallWrite } from "./hosts/WaitingCommits.ts"
import { type DatabaseOutage, full, outageOf, readOnly, silent, waiting } from "./Outages.ts"
import { StatementTimeout } from "./StatementTimeout.ts"

/** Checks of the database that every process makes. */
export const DatabaseChecks = Layer.suspend(() => Readiness.adding(databaseChecks))

/** Same, for who makes them once. */
export const databaseChecks: Effect.Effect<
  ReadonlyArray<Check<"clock" | "database">>,
  never,
  DatabaseClock | SqlClient.SqlClient
> = Effect.gen(function*() {
  const clock = yield* DatabaseClock
  return [
    { name: "database", probe: yield* databaseProbe, otherwise: "failed" },
    { name: "clock", probe: Effect.map(clock.offsetMillis, clockFinding), otherwise: "degraded" }
  ]
})

/** Asks the database whether it can be read, and written. */
const databaseProbe = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    sql<{ readonly isReadOnly: boolean }>`SELECT current_setting('transaction_read_only') = 'on' AS is_read_only`.pipe(
      Effect.provideService(StatementTimeout, probeLimit),
      Effect.flatMap(([row]) => row?.isReadOnly ? Effect.succeed(lacking(readOnly)) : written(sql)),
      Effect.catch((error) => Effect.succeed(explain(error)))
    )
)

/** Finding of a database that was just read. */
const written = (sql: SqlClient.SqlClient) =>
  sql.unsafe(smallWrite).pipe(
    Effect.provideService(StatementTimeout, writeLimit),
    Effect.andThen(unlessFull),
    Effect.catchIf((error) => isUnanswered(outageOf(error)), () => Effect.succeed(lacking(waiting)))
  )

/** What is left of the time of a probe, with room for the read. */
const writeLimit = Duration.seconds(2)

const isUnanswered = (outage: DatabaseOutage | undefined) =>
  outage?.name === waiting.name || outage?.name === silent.name

const readable = ok("The database can be read and written.")
const lacking = ({ remedy, what }: typeof full) => degraded(what, remedy)

/** No small write tells whether there is room for others; those of this process do. */
const unlessFull = Effect.map(OpenOutages, (open) => open.has(full.name) ? lacking(full) : readable)

const explain = (error: { readonly message: string }): Finding => {
  const outage = outageOf(error)
  return outage === undefined ? failed(error.message) : failed(`${outage.what} (${outage.reason})`, outage.remedy)
}

// A server of a fleet whose clock is wrong still works, because the database's clock counts.
const clockFinding = (offsetMillis: number): Finding =>
  Math.abs(offsetMillis) <= farMillis
    ? ok("The clock of this machine agrees with the database's.")
    : degraded(`${differenceText(offsetMillis)}. Check its time service (NTP).`)

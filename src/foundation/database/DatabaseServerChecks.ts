import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AppConfig } from "../config/AppConfig.ts"
import { type Check, degraded, failed, type Finding, ok, probeLimit } from "../operator/Readiness.ts"
import { full, outageOf } from "./Outages.ts"
import { serverGuards } from "./PostgresClient.ts"
import { StatementTimeout } from "./StatementTimeout.ts"

/** Checks of a database server for `slotkey doctor`: of what was set up wrong, and of what no question tells. */
export const databaseServerChecks = Effect.gen(function*() {
  const { database } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const setting = database._tag === "Server" && database.isPooled ? "DATABASE_DIRECT_URL" : "DATABASE_URL"
  const check = <const Name extends string>(
    name: Name,
    probe: Effect.Effect<Finding, SqlError.SqlError>
  ): Check<Name> => ({
    name,
    otherwise: "degraded",
    probe: probe.pipe(
      Effect.provideService(StatementTimeout, probeLimit),
      Effect.catch(({ message }) => Effect.succeed(degraded(message)))
    )
  })
  return {
    room: check("database", roomProbe(sql)),
    session: check("pooler", sessionProbe(sql, setting)),
    role: check("role", roleProbe(sql))
  }
})

/**
 * Takes a megabyte of the disk with the tables, and gives it back. A small write would find room in pages that are
 * there. Nothing is committed, so no standby is waited for.
 */
const roomProbe = (sql: SqlClient.SqlClient): Effect.Effect<Finding, SqlError.SqlError> =>
  sql.withTransaction(Effect.gen(function*() {
    yield* sql`SET LOCAL temp_tablespaces = ''`
    yield* sql`CREATE TEMPORARY TABLE slotkey_doctor AS SELECT generate_series(1, 30000)`
    return yield* Effect.fail(rollback)
  })).pipe(
    Effect.catch((error) => {
      const outage = outageOf(error)
      // Nothing else is of this probe: a role that may make no temporary tables cannot try.
      return Effect.succeed(
        outage?.name === full.name
          ? failed(`${outage.what} (${outage.reason})`, outage.remedy)
          : ok("The disk of the database has room.")
      )
    })
  )

const rollback = { _tag: "Rollback", message: "" } as const

/**
 * Reads a parameter with which each session is opened. A pooler that ignores such parameters gives sessions without
 * them; one that does not refuses the session, and the check of the database has that.
 */
const sessionProbe = (sql: SqlClient.SqlClient, setting: string): Effect.Effect<Finding, SqlError.SqlError> =>
  Effect.map(
    sql<{ readonly guard: string }>`SELECT current_setting('idle_in_transaction_session_timeout') AS guard`,
    ([row]): Finding =>
      row?.guard === serverGuards.idle_in_transaction_session_timeout
        ? ok(`${setting} is PostgreSQL itself.`)
        : degraded(
          `${setting} is a pooler: sessions do not have the parameters with which they were opened.`,
          setting === "DATABASE_URL"
            ? "Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to PostgreSQL itself (docs/failover.md)."
            : "Set it to PostgreSQL itself (docs/failover.md)."
        )
  )

const roleProbe = (sql: SqlClient.SqlClient): Effect.Effect<Finding, SqlError.SqlError> =>
  Effect.map(
    sql<{ readonly isSuperuser: boolean }>`SELECT rolsuper AS is_superuser FROM pg_roles WHERE rolname = current_user`,
    ([row]): Finding =>
      row?.isSuperuser === true
        ? degraded("The role is a superuser: with its password come all databases, and the machine of PostgreSQL.")
        : ok("The role is no superuser.")
  )

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import * as LiveCondition from "../grants/LiveCondition.ts"

/** Apps that may ask for a scope, and live grants that hold it. */
export interface Held {
  readonly scope: string
  readonly apps: number
  readonly grants: number
}

/** Counts holders of each scope. It reads all grants once, so it has the time of an import. */
export const holders = Effect.fn("Holders.holders")(function*(scopes: ReadonlyArray<string>) {
  if (scopes.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const { grantIdleLifetime, importTimeout } = yield* AppConfig
  const now = yield* DatabaseClock.statementStart
  return yield* sql<Held>`SELECT name AS scope, coalesce(apps, 0)::int AS apps, coalesce(grants, 0)::int AS grants
    FROM unnest(${scopes}::text[]) WITH ORDINALITY AS named (name, place)
    LEFT JOIN (SELECT scope, count(*) AS apps FROM clients, unnest(scopes) AS scope
      WHERE scope = ANY(${scopes}::text[]) AND status <> 'rejected' GROUP BY scope) AS registered
      ON registered.scope = name
    LEFT JOIN (SELECT scope, count(*) AS grants FROM grants, unnest(scopes) AS scope
      WHERE scope = ANY(${scopes}::text[]) AND ${
    LiveCondition.make(sql, grantIdleLifetime)(now)
  } GROUP BY scope) AS held
      ON held.scope = name
    ORDER BY place`.pipe(Effect.provideService(StatementTimeout, importTimeout))
}, Effect.orDie)

/** Apps that may ask for all of these scopes together. */
export const appsWith = Effect.fn("Holders.appsWith")(function*(scopes: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const { importTimeout } = yield* AppConfig
  const rows = yield* sql<{ id: string }>`SELECT id FROM clients WHERE scopes @> ${scopes}::text[] ORDER BY id`.pipe(
    Effect.provideService(StatementTimeout, importTimeout)
  )
  return rows.map(({ id }) => ClientId.make(id))
}, Effect.orDie)

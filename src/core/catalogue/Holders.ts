import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import * as LiveCondition from "../grants/LiveCondition.ts"

/** Apps that may ask for a scope, and live grants that hold it. */
export const Held = Schema.Struct({
  /** `null` is no restriction, which legacy grants have, and for which legacy apps may ask. */
  scope: Schema.NullOr(Schema.String),
  apps: Schema.Int,
  /** `null` where they were not counted within `IMPORT_TIMEOUT`. */
  grants: Schema.NullOr(Schema.Int)
})
export type Held = typeof Held.Type

/**
 * Counts holders of each scope, and with `null` among them the unrestricted ones. Grants are read once, all of them, so
 * the statement has the time of an import; a table that takes longer has to be asked about again, and everything else
 * is known without that.
 */
export const holders = Effect.fn("Holders.holders")(function*(scopes: ReadonlyArray<string | null>) {
  if (scopes.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const { grantIdleLifetime, importTimeout } = yield* AppConfig
  const names = scopes.map(keyOf)
  const isLive = LiveCondition.make(sql, grantIdleLifetime)(yield* DatabaseClock.statementStart)
  const apps = yield* sql<Count>`SELECT scope, count(*)::int AS count
    FROM clients, unnest(CASE WHEN legacy THEN ARRAY[${unrestricted}] ELSE scopes END) AS scope
    WHERE scope = ANY(${names}::text[]) AND status <> 'rejected' GROUP BY scope`
  const grants = yield* sql<Count>`SELECT scope, count(*)::int AS count
    FROM grants, unnest(coalesce(scopes, ARRAY[${unrestricted}])) AS scope
    WHERE scope = ANY(${names}::text[]) AND ${isLive} GROUP BY scope`.pipe(
    Effect.provideService(StatementTimeout, importTimeout),
    Effect.asSome,
    Effect.catchIf(Outages.isTooSlow, () => Effect.succeedNone)
  )
  return scopes.map((scope): Held => ({
    scope,
    apps: countOf(apps, scope),
    grants: Option.getOrNull(Option.map(grants, (counts) => countOf(counts, scope)))
  }))
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

interface Count {
  readonly scope: string
  readonly count: number
}

/** Stands for no restriction in statements; no scope has this name. */
const unrestricted = ""

const keyOf = (scope: string | null): string => scope ?? unrestricted

const countOf = (counts: ReadonlyArray<Count>, scope: string | null): number =>
  counts.find((counted) => counted.scope === keyOf(scope))?.count ?? 0

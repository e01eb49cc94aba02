import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { ClientId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { LegacyUsage, type ScopeUse, type Usage } from "../../clients/life/LegacyUsage.ts"
import * as LiveCondition from "../../grants/LiveCondition.ts"
import { legacyNeed } from "../../usage/Need.ts"
import { UsageReports } from "../../usage/UsageReports.ts"
import { type AppCalls, make as appCalls, scopesIn } from "./AppCalls.ts"
import { scoped, unscoped, wordMark } from "./LegacyTraffic.ts"
import { MigrationAudit } from "./MigrationAudit.ts"
import { keepStandings } from "./MigrationStandings.ts"
import { verdictOf } from "./MigrationVerdict.ts"

/**
 * Audits the progress of legacy clients on their way to scopes and keeps the history (specification §5.6). A nightly
 * job audits all of them (workers/MigrationAudit.ts); pages and the API assess clients at the moment.
 */
export class MigrationAudits extends Context.Service<MigrationAudits, {
  /**
   * Audits all clients that are legacy, or were and left records. The same `job` audits a client once. After each page
   * `progress` learns how many clients are done.
   */
  run(job: string, progress: (clients: number) => Effect.Effect<void>): Effect.Effect<void>
  /** An audit made now and not kept; none of a client that always had scopes. */
  assess(clientId: ClientId): Effect.Effect<Option.Option<MigrationAudit>>
  /** Same for at most 100 clients. */
  assessAll(clientIds: ReadonlyArray<ClientId>): Effect.Effect<ReadonlyMap<ClientId, MigrationAudit>>
  /** Recent use of one client, scope by scope, with its calls. */
  usage(clientId: ClientId): Effect.Effect<Usage & { readonly calls: AppCalls }>
  /** Calls of the last days by client. */
  calls(clientIds: ReadonlyArray<ClientId>): Effect.Effect<ReadonlyMap<ClientId, AppCalls>>
  /** Number of live imported grants whose apps have not presented a refresh token of ours yet. */
  unrotatedGrants(clientId: ClientId): Effect.Effect<number>
  /** Newest first. */
  history(clientId: ClientId, limit: number): Effect.Effect<ReadonlyArray<MigrationAudit>>
}>()("slotkey/core/legacy/migration/MigrationAudits") {
  static readonly layer: Layer.Layer<MigrationAudits, never, AppConfig | DatabaseClock | SqlClient.SqlClient> = Layer
    .effect(
      MigrationAudits,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { inOrder, isScope, names } = yield* Catalogue
        const { grantIdleLifetime, migrationAuditDays: days, migrationObservation } = yield* AppConfig
        const callsOf = yield* appCalls
        const live = LiveCondition.make(sql, grantIdleLifetime)
        const daysBefore = (now: DateTime.Utc) => DateTime.toDateUtc(DateTime.subtract(now, { days }))

        const page = (clientIds: ReadonlyArray<ClientId> | null, after: string, now: DateTime.Utc) =>
          allFacts(
            sql`SELECT c.id AS client_id, c.legacy, c.observed_since, t.unscoped_requests,
              t.scoped_requests, t.last_unscoped_at, t.scopes, g.unscoped_grants
            FROM clients c
            CROSS JOIN LATERAL (
              SELECT coalesce(sum(requests) FILTER (WHERE scope = ${unscoped}), 0)::int AS unscoped_requests,
                coalesce(sum(requests) FILTER (WHERE scope = ${scoped}), 0)::int AS scoped_requests,
                max(last_at) FILTER (WHERE scope = ${unscoped}) AS last_unscoped_at,
                array_agg(DISTINCT scope) AS scopes
              FROM legacy_authorizations WHERE client_id = c.id AND last_at >= ${daysBefore(now)}
            ) t
            CROSS JOIN LATERAL (
              SELECT count(*)::int AS unscoped_grants FROM grants
              WHERE client_id = c.id AND scopes IS NULL AND ${live(sql`${DateTime.toDateUtc(now)}::timestamptz`)}
            ) g
            WHERE c.id > ${after} AND ${clientIds === null ? sql`true` : sql`c.id = ANY(${clientIds}::text[])`}
              AND (c.legacy OR c.migrated_at IS NOT NULL OR EXISTS (SELECT 1 FROM migration_audits a WHERE a.client_id = c.id)
                OR EXISTS (SELECT 1 FROM legacy_authorizations a WHERE a.client_id = c.id))
            ORDER BY c.id LIMIT ${pageSize}`
          )

        const insert = (job: string, audits: Array.NonEmptyReadonlyArray<MigrationAudit>) =>
          sql`INSERT INTO migration_audits ${sql.insert(Array.map(audits, (audit) => ({ ...encodeAudit(audit), job })))}
          ON CONFLICT (client_id, job) DO NOTHING`

        const keep = (audits: ReadonlyArray<MigrationAudit>) =>
          Effect.provideService(keepStandings(audits), SqlClient.SqlClient, sql)

        const audit = Effect.fnUntraced(function*(clientIds: ReadonlyArray<ClientId> | null, after: string) {
          const now = yield* DateTime.now
          const clients = yield* page(clientIds, after, now)
          return clients.map(({ legacy, observedSince, scopes, ...facts }) =>
            new MigrationAudit({
              ...facts,
              at: now,
              days,
              scopes: inOrder((scopes ?? []).filter(isScope)),
              verdict: verdictOf({
                legacy,
                unknownWords: (scopes ?? []).some((key) => key.startsWith(wordMark)),
                observed: DateTime.isLessThanOrEqualTo(DateTime.addDuration(observedSince, migrationObservation), now),
                ...facts
              })
            })
          )
        })

        const run = Effect.fn("MigrationAudits.run")(function*(
          job: string,
          progress: (clients: number) => Effect.Effect<void>
        ) {
          let done = 0
          for (let after = "";;) {
            const audits = yield* audit(null, after)
            if (!Array.isReadonlyArrayNonEmpty(audits)) return
            yield* insert(job, audits)
            yield* keep(audits)
            after = Array.lastNonEmpty(audits).clientId
            done += audits.length
            yield* progress(done)
          }
        }, Effect.orDie)

        const history = Effect.fn("MigrationAudits.history")(
          (clientId: ClientId, limit: number) =>
            allAudits(
              sql`SELECT client_id, at, days, unscoped_requests::int, scoped_requests::int, last_unscoped_at, scopes,
                unscoped_grants::int, verdict
              FROM migration_audits WHERE client_id = ${clientId} ORDER BY id DESC LIMIT ${limit}`
            ),
          Effect.orDie
        )

        const usage = Effect.fn("MigrationAudits.usage")(function*(clientId: ClientId) {
          const from = daysBefore(yield* DateTime.now)
          const [client] = yield* sql<{ observedSince: Date }>`
          SELECT observed_since FROM clients WHERE id = ${clientId}`
          const rows = yield* sql<{ scope: string; requests: number }>`
          SELECT scope, sum(requests)::int AS requests FROM legacy_authorizations
          WHERE client_id = ${clientId} AND last_at >= ${from} GROUP BY scope`
          const counts = new Map(rows.map(({ requests, scope }) => [scope, requests]))
          const count = (key: string) => counts.get(key) ?? 0
          const calls = Option.getOrThrow(Option.fromUndefinedOr((yield* callsOf([clientId])).get(clientId)))
          const needed = scopesIn(calls.needs)
          const isSingle = ({ and, or }: ScopeUse) => and === undefined && or === undefined
          const single = new Map(needed.filter(isSingle).map(({ calls, scope }) => [scope, calls]))
          const since = client === undefined ? yield* DateTime.now : DateTime.fromDateUnsafe(client.observedSince)
          return {
            days,
            unscopedRequests: count(unscoped),
            scopes: [
              ...names.flatMap((scope) => {
                const [requests, calls] = [count(scope), single.get(scope) ?? 0]
                return requests + calls === 0 ? [] : [{ scope, requests, calls }]
              }),
              ...needed.filter((use) => !isSingle(use))
            ],
            uncoveredCalls: calls.needs.get(legacyNeed) ?? 0,
            knowsCalls: calls.blindness === null,
            calls,
            words: rows.flatMap(({ requests, scope }) =>
              scope.startsWith(wordMark) ? [{ word: scope.slice(wordMark.length), requests }] : []
            ),
            observedSince: since,
            observedUntil: DateTime.addDuration(since, migrationObservation)
          }
        }, Effect.orDie)

        const unrotatedGrants = Effect.fn("MigrationAudits.unrotatedGrants")(function*(clientId: ClientId) {
          const now = sql`${DateTime.toDateUtc(yield* DateTime.now)}::timestamptz`
          const [counted] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM grants
          WHERE client_id = ${clientId} AND imported_rotates IS NOT NULL AND generation <= 1 AND ${live(now)}`
          return counted?.n ?? 0
        }, Effect.orDie)

        return MigrationAudits.of({
          run,
          usage,
          calls: Effect.fn("MigrationAudits.calls")(callsOf),
          unrotatedGrants,
          history,
          assess: Effect.fn("MigrationAudits.assess")(
            (clientId) => Effect.map(audit([clientId], ""), Array.head),
            Effect.orDie
          ),
          assessAll: Effect.fn("MigrationAudits.assessAll")(
            (ids) => Effect.map(audit(ids, ""), (all) => new Map(all.map((one) => [one.clientId, one]))),
            Effect.orDie
          )
        })
      })
    ).pipe(Layer.provide(UsageReports.layer))

  /** Answers the port that is asked before an owner saves scopes and before a reviewer approves them. */
  static readonly layerUsage: Layer.Layer<LegacyUsage, never, MigrationAudits> = Layer.effect(
    LegacyUsage,
    Effect.map(MigrationAudits, ({ usage }) => LegacyUsage.of({ of: usage }))
  )
}

export const sweeps = [
  Sweep.olderThan({
    table: "migration_audits",
    column: "at",
    retention: "legacyHistoryLifetime",
    rows: "verdicts on legacy apps, one a night"
  })
]

const allAudits = Rows.all(MigrationAudit)
const encodeAudit = Schema.encodeSync(MigrationAudit)
const allFacts = Rows.all(Schema.Struct({
  clientId: ClientId,
  legacy: Schema.Boolean,
  observedSince: Schema.DateTimeUtcFromDate,
  unscopedRequests: Schema.Int,
  scopedRequests: Schema.Int,
  lastUnscopedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  scopes: Schema.Array(Schema.String).pipe(Schema.NullOr),
  unscopedGrants: Schema.Int
}))

const pageSize = 100

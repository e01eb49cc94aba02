import { Array, Context, DateTime, Duration, Effect, Latch, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"
import type { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import { isPrintable } from "../../../domain/Text.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { addRefusals, type RefusalCause } from "./LegacyRefusals.ts"
import { IgnoredWord, Refusals } from "./MigrationState.ts"

/**
 * Counts the authorization requests of legacy clients by day: their owners see whether URLs without scope are still in
 * use before they save scopes, and how many were refused afterwards (specification §5.6). The authorization endpoint
 * counts; audits, the portal and the migration board read.
 */
export class LegacyTraffic extends Context.Service<LegacyTraffic, {
  /**
   * Counts one authorization request with these scopes, `null` if it named none, and with words that are none of ours.
   */
  count(clientId: ClientId, scopes: GrantedScopes, words: ReadonlyArray<string>): Effect.Effect<void>
  /** Words of the last days that were ignored in `scope`, the most frequent first. */
  ignoredWords(clientId: ClientId, days: number): Effect.Effect<ReadonlyArray<IgnoredWord>>
  /** Counts a request that was refused for its scopes, or for want of any; only those of migrated clients count. */
  countRefused(clientId: ClientId, cause: RefusalCause): Effect.Effect<void>
  /**
   * Notes a refresh of an old grant that ended when its user authorized the app again. An app may repeat it at will, so
   * it costs an addition: a fiber writes the sums. A node that stops may lose its last seconds.
   */
  noteSuperseded(clientId: ClientId): void
  /** Requests refused since the scopes were saved, at `migratedAt`, without the API calls. */
  refusedSince(clientId: ClientId, migratedAt: DateTime.Utc): Effect.Effect<Refusals>
  /** Requests of the last days by client, today included, the oldest day first. */
  days(clientIds: ReadonlyArray<ClientId>, days: number): Effect.Effect<ReadonlyMap<ClientId, ReadonlyArray<Day>>>
}>()("slotkey/core/legacy/migration/LegacyTraffic") {
  static readonly layer: Layer.Layer<LegacyTraffic, never, SqlClient.SqlClient> = Layer.effect(
    LegacyTraffic,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const count = Effect.fn("LegacyTraffic.count")(function*(
        clientId: ClientId,
        scopes: GrantedScopes,
        words: ReadonlyArray<string>
      ) {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const day = DateTime.formatIsoDateUtc(now)
        // In the same order for each request, so that two of one client cannot deadlock.
        const keys = scopes === null ? [unscoped] : [scoped, ...scopes]
        const ignored = words.filter(isPrintable).map((word) => `${wordMark}${word.slice(0, maxWordLength)}`)
        // Any user may open a URL with any words, so only so many are counted.
        yield* sql`WITH standing AS (UPDATE migration_standings SET used_at = ${at} WHERE client_id = ${clientId})
          INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
          SELECT ${clientId}, ${day}::text::date, k.scope, 1, ${at}
          FROM unnest(${[...keys, ...new Set(ignored.slice(0, maxWords).toSorted())]}::text[])
            WITH ORDINALITY AS k (scope, at)
          WHERE NOT starts_with(k.scope, ${wordMark})
            OR EXISTS (SELECT 1 FROM legacy_authorizations a
              WHERE a.client_id = ${clientId} AND a.day = ${day}::text::date AND a.scope = k.scope)
            OR (SELECT count(*) FROM legacy_authorizations a WHERE a.client_id = ${clientId}
              AND a.day = ${day}::text::date AND starts_with(a.scope, ${wordMark})) < ${maxWordsOfDay}
          ORDER BY k.at
          ON CONFLICT (client_id, day, scope) DO UPDATE
          SET requests = legacy_authorizations.requests + 1, last_at = excluded.last_at`
      }, Effect.orDie)

      const daysAgo = (days: number) =>
        Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.subtract(now, { days })))

      const ignoredWords = Effect.fn("LegacyTraffic.ignoredWords")(function*(clientId: ClientId, days: number) {
        return yield* allWords(
          sql`SELECT substr(scope, ${wordMark.length + 1}) AS word, sum(requests)::int AS requests,
              max(last_at) AS last_at
            FROM legacy_authorizations
            WHERE client_id = ${clientId} AND last_at >= ${yield* daysAgo(days)} AND starts_with(scope, ${wordMark})
            GROUP BY scope ORDER BY 2 DESC, 1 LIMIT ${maxWordsOfDay}`
        )
      }, Effect.orDie)

      const countRefused = Effect.fn("LegacyTraffic.countRefused")(
        (clientId: ClientId, cause: RefusalCause) => addRefusals(cause, new Map([[clientId, 1]])),
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.orDie
      )

      let superseded = new Map<ClientId, number>()
      const noted = yield* Latch.make()
      yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
        yield* noted.await
        yield* Effect.sleep(pause)
        yield* noted.close
        const taken = superseded
        superseded = new Map()
        yield* addRefusals("supersededGrants", taken).pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Outages.bestEffort("Refused refreshes of legacy apps were not counted")
        )
      })))
      const noteSuperseded = (clientId: ClientId) => {
        superseded.set(clientId, (superseded.get(clientId) ?? 0) + 1)
        noted.openUnsafe()
      }

      const refusedSince = Effect.fn("LegacyTraffic.refusedSince")(
        (clientId: ClientId, migratedAt: DateTime.Utc) =>
          firstRefusals(
            sql`SELECT (requests - refused_calls)::int AS requests, last_at, refused_scopes::int,
                superseded_grants::int, 0 AS refused_calls,
                (requests - refused_scopes - refused_calls - superseded_grants)::int AS without_scope
              FROM legacy_refusals WHERE client_id = ${clientId} AND migrated_at = ${DateTime.toDateUtc(migratedAt)}`
          ),
        Effect.map(Option.getOrElse(() => noRefusals)),
        Effect.orDie
      )

      const days = Effect.fn("LegacyTraffic.days")(function*(clientIds: ReadonlyArray<ClientId>, days: number) {
        const now = yield* DateTime.now
        const dates = Array.makeBy(
          days,
          (at) => DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: days - 1 - at }))
        )
        const rows = yield* sql<{ clientId: ClientId; day: string; scope: string; requests: number }>`
          SELECT client_id, to_char(day, 'YYYY-MM-DD') AS day, scope, requests::int FROM legacy_authorizations
          WHERE client_id = ANY(${clientIds}::text[]) AND scope IN (${unscoped}, ${scoped})
            AND day >= ${dates[0]}::text::date`
        const counts = new Map(rows.map((row) => [`${row.clientId} ${row.day} ${row.scope}`, row.requests]))
        return new Map(clientIds.map((id) => [
          id,
          dates.map((day): Day => ({
            unscoped: counts.get(`${id} ${day} ${unscoped}`) ?? 0,
            scoped: counts.get(`${id} ${day} ${scoped}`) ?? 0
          }))
        ]))
      }, Effect.orDie)

      return LegacyTraffic.of({ count, ignoredWords, countRefused, noteSuperseded, refusedSince, days })
    })
  )
}

export const sweeps = [
  Sweep.where({
    table: "legacy_authorizations",
    retention: "legacyHistoryLifetime",
    rows: "requests of legacy apps, counted by day and scope"
  }, (sql, ago, { legacyHistoryLifetime }) => sql`day < ${ago(legacyHistoryLifetime)}`),
  Sweep.olderThan({
    table: "legacy_refusals",
    column: "last_at",
    retention: "legacyHistoryLifetime",
    rows: "refused requests since a legacy app's scopes were saved, counted, when there were no more for so long"
  })
]

/** Requests of one day. */
export interface Day {
  readonly unscoped: number
  readonly scoped: number
}

const allWords = Rows.all(IgnoredWord)
const firstRefusals = Rows.first(Refusals)

const noRefusals: Refusals = {
  requests: 0,
  lastAt: null,
  withoutScope: 0,
  refusedScopes: 0,
  refusedCalls: 0,
  supersededGrants: 0
}

/** Keys in the column `scope` under which whole requests count: those without a scope, and those with any. */
export const unscoped = ""
export const scoped = "*"

/** Begins the key of a word that was ignored: no other key begins with a space. */
export const wordMark = " "

/** Length to which a word is kept, and how many words are counted of one request and of one client's day. */
const maxWordLength = 64
const maxWords = 10
const maxWordsOfDay = 50

const pause = Duration.seconds(2)

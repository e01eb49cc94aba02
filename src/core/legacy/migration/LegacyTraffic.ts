import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId } from "../../../domain/Ids.ts"
import type { GrantedScopes } from "../../../domain/scopes/Scope.ts"
import { isPrintable } from "../../../domain/Text.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { addRefusals, type RefusalCause } from "./LegacyRefusals.ts"
import { IgnoredWord, Refusals } from "./MigrationState.ts"
import { parseRefusedKey, type RefusedCall, refusedMark } from "./RefusedCall.ts"

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
  /** API calls of the last days that were refused, by client, cause and operation, the most frequent first. */
  refusedCalls(
    clientIds: ReadonlyArray<ClientId>,
    days: number
  ): Effect.Effect<ReadonlyMap<ClientId, ReadonlyArray<RefusedCall>>>
  /** Counts a request that was refused for its scopes, or for want of any; only those of migrated clients count. */
  countRefused(clientId: ClientId, cause: RefusalCause): Effect.Effect<void>
  /** Requests refused since the scopes were saved, at `migratedAt`. */
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

      const refusedCalls = Effect.fn("LegacyTraffic.refusedCalls")(
        function*(clientIds: ReadonlyArray<ClientId>, days: number) {
          const from = yield* daysAgo(days)
          const rows = yield* allRefused(
            sql`SELECT client_id, scope AS key, sum(requests)::int AS requests, max(last_at) AS last_at
              FROM legacy_authorizations
              WHERE client_id = ANY(${clientIds}::text[]) AND last_at >= ${from} AND starts_with(scope, ${refusedMark})
              GROUP BY client_id, scope ORDER BY 3 DESC, 2`
          )
          const calls = Map.groupBy(rows, ({ clientId }) => clientId)
          return new Map(clientIds.map((id) => [id, (calls.get(id) ?? []).flatMap(refusedCall)]))
        },
        Effect.orDie
      )

      const countRefused = Effect.fn("LegacyTraffic.countRefused")(
        (clientId: ClientId, cause: RefusalCause) => addRefusals(new Map([[clientId, new Map([[cause, 1]])]])),
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.orDie
      )

      const refusedSince = Effect.fn("LegacyTraffic.refusedSince")(
        (clientId: ClientId, migratedAt: DateTime.Utc) =>
          firstRefusals(
            sql`SELECT requests::int, last_at, refused_scopes::int, refused_calls::int, superseded_grants::int,
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

      return LegacyTraffic.of({ count, ignoredWords, refusedCalls, countRefused, refusedSince, days })
    })
  )
}

export const sweeps = [
  Sweep.where({
    table: "legacy_authorizations",
    retention: "legacyHistoryLifetime",
    rows: "requests and API calls of legacy apps, counted by day and scope"
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

const RefusedRow = Schema.Struct({
  clientId: ClientId,
  key: Schema.String,
  requests: Schema.Int,
  lastAt: Schema.DateTimeUtcFromDate
})

const allRefused = Rows.all(RefusedRow)
const allWords = Rows.all(IgnoredWord)
const firstRefusals = Rows.first(Refusals)

const refusedCall = ({ key, lastAt, requests }: typeof RefusedRow.Type): ReadonlyArray<RefusedCall> =>
  Option.toArray(Option.map(parseRefusedKey(key), (call) => ({ ...call, requests, lastAt })))

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

/**
 * Begins the key in the column `scope` of API calls. The scope follows that they needed, or, with spaces between, those
 * any of which would have done.
 */
export const callMark = "call "
export const callsFor = (scopes: string): string => `${callMark}${scopes}`

/** Begins the key of a word that was ignored: no other key begins with a space. */
export const wordMark = " "

/** Length to which a word is kept, and how many words are counted of one request and of one client's day. */
const maxWordLength = 64
const maxWords = 10
const maxWordsOfDay = 50

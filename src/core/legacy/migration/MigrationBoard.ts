import { Array, Context, DateTime, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import * as Cursor from "../../../domain/Cursor.ts"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { Account } from "../../accounts/people/Account.ts"
import { IdentitySource } from "../../accounts/people/IdentitySource.ts"
import { suggestionOf } from "../../clients/life/ScopeLosses.ts"
import { type AppCalls, scopesIn } from "./AppCalls.ts"
import type { BoardClient } from "./BoardClient.ts"
import type { BoardFilter, BoardSort } from "./BoardFilter.ts"
import { boardCondition, boardOrder, boardTables, keyForm } from "./BoardQuery.ts"
import { LegacyTraffic } from "./LegacyTraffic.ts"
import type { MigrationAudit } from "./MigrationAudit.ts"
import { MigrationAudits } from "./MigrationAudits.ts"
import { keepStandings, oldStandings } from "./MigrationStandings.ts"
import { rehearse } from "./RehearsedMigration.ts"

interface BoardQuery extends BoardFilter {
  readonly sort: BoardSort
  /** At most 100. */
  readonly limit: number
  /** `nextCursor` of the page before, of the same order. */
  readonly cursor?: string | undefined
}

export interface BoardPage {
  readonly clients: ReadonlyArray<BoardClient>
  /** Number of apps that the filter wants, on all pages. */
  readonly total: number
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

/** Overview of all legacy apps for reviewers (specification §5.6): `/review/migration` and `MigrationBoardApi`. */
export class MigrationBoard extends Context.Service<MigrationBoard, {
  list(query: BoardQuery): Effect.Effect<BoardPage, BadRequest>
  /** All apps that the filter wants, a page at a time in memory. */
  stream(query: BoardFilter & { readonly sort: BoardSort }): Stream.Stream<BoardClient>
}>()("slotkey/core/legacy/migration/MigrationBoard") {
  static readonly layer = Layer.effect(
    MigrationBoard,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audits = yield* MigrationAudits
      const identities = yield* IdentitySource
      const traffic = yield* LegacyTraffic
      const catalogue = yield* Catalogue
      const context = yield* Effect.context<SqlClient.SqlClient | IdentitySource>()

      /** Renews the oldest standings. More than these are old only after an import, until its audit is done. */
      const renew = Effect.gen(function*() {
        yield* keepStandings([...(yield* audits.assessAll(yield* oldStandings(mostAtOnce))).values()])
      }).pipe(Outages.bestEffort("The standings of legacy apps were not renewed"))

      const count = Effect.fnUntraced(function*(filter: BoardFilter) {
        const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM ${yield* boardTables}
          WHERE ${yield* boardCondition(filter)}`
        return row?.n ?? 0
      })

      const read = Effect.fnUntraced(function*({ cursor, limit, sort, ...filter }: BoardQuery) {
        const order = yield* boardOrder(sort)
        const place = cursor === undefined ? undefined : yield* Cursor.decode(sort, keyForm(sort), cursor)
        const conditions = [yield* boardCondition(filter), ...(place === undefined ? [] : [order.behind(place)])]
        const rows = yield* allRows(
          sql`SELECT c.id, c.name, c.website, c.owner_id, m.asked_at, ${order.key} AS key
          FROM ${yield* boardTables} LEFT JOIN migration_mails m ON m.client_id = c.id
          WHERE ${sql.and(conditions)}
          ORDER BY ${order.orderBy} LIMIT ${limit + 1}`
        )
        const page = rows.slice(0, limit)
        const last = Array.last(page)
        const next = rows.length > limit ? last : Option.none()
        return {
          page,
          nextCursor: Option.getOrNull(Option.map(next, ({ id, key }) => Cursor.encode({ order: sort, key, id })))
        }
      })

      /** Scopes that an app would be likely to save: those that its requests named, or else what its calls needed. */
      const next = ({ scopes }: MigrationAudit, { needs }: AppCalls, now: DateTime.Utc) =>
        scopes.length > 0
          ? scopes
          : suggestionOf(catalogue, { knowsCalls: true, scopes: scopesIn(needs) }, now)

      /** Adds to each row what is found now. An app whose verdict has changed since it was looked up is left out. */
      const complete = Effect.fnUntraced(function*(
        rows: ReadonlyArray<Row>,
        { state }: BoardFilter,
        owners: Map<UserId, BoardClient["owner"]> = new Map()
      ) {
        const ids = rows.map(({ id }) => id)
        const assessed = yield* audits.assessAll(ids)
        const trends = yield* traffic.days(ids, trendDays)
        const calls = yield* audits.calls(ids)
        const now = yield* DateTime.now
        yield* Effect.forEach(
          new Set(rows.map(({ ownerId }) => ownerId).filter((id) => !owners.has(id))),
          (id) =>
            Effect.map(identities.find(id), (found) => owners.set(id, Option.getOrNull(Option.map(found, named)))),
          { concurrency: "unbounded" }
        )
        return rows.flatMap(({ askedAt, id, name, ownerId, website }): ReadonlyArray<BoardClient> => {
          const audit = assessed.get(id)
          if (audit === undefined) return []
          if (state === "open" ? audit.verdict === "migrated" : state !== "all" && audit.verdict !== state) return []
          const [owner, trend] = [owners.get(ownerId) ?? null, trends.get(id) ?? []]
          const called = calls.get(id)
          return called === undefined ? [] : [{
            id,
            name,
            website,
            ownerId,
            owner,
            askedAt,
            audit,
            calls: { ...rehearse(catalogue, called, next(audit, called, now)), blindness: called.blindness },
            refusedCalls: called.refused,
            trend
          }]
        })
      })

      const list = Effect.fn("MigrationBoard.list")(
        function*(query: BoardQuery) {
          if (query.cursor === undefined) yield* renew
          const { nextCursor, page } = yield* read(query)
          return { clients: yield* complete(page, query), total: yield* count(query), nextCursor }
        },
        Effect.provideContext(context),
        Effect.catchTag("SqlError", Effect.die)
      )

      const stream = (query: BoardFilter & { readonly sort: BoardSort }): Stream.Stream<BoardClient> =>
        Stream.unwrap(Effect.map(Effect.provideContext(renew, context), () => {
          const owners = new Map<UserId, BoardClient["owner"]>()
          return Stream.paginate(undefined as string | undefined, (cursor) =>
            Effect.map(
              read({ ...query, limit: mostRead, cursor }),
              ({ nextCursor, page }) => [page, Option.fromNullOr(nextCursor)] as const
            )).pipe(
              Stream.grouped(mostAtOnce),
              Stream.mapEffect((rows) => complete(rows, query, owners)),
              Stream.flattenIterable,
              Stream.provideContext(context),
              Stream.orDie
            )
        }))

      return MigrationBoard.of({ list, stream })
    })
  )
}

const Row = Schema.Struct({
  id: ClientId,
  name: Schema.String,
  website: Schema.String,
  ownerId: UserId,
  askedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  key: Schema.String
})
type Row = typeof Row.Type

const named = ({ email, id, name, username }: Account): NonNullable<BoardClient["owner"]> => ({
  id,
  name,
  username,
  email
})

const allRows = Rows.all(Row)

// Apps that one audit takes.
const mostAtOnce = 100

// A page of the export: each one sorts all apps.
const mostRead = 2000

const trendDays = 30

import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { ManagedClient } from "../records/Client.ts"
import { allClients, ClientsRepo, columns, isPlausible } from "../records/ClientsRepo.ts"
import { nobody } from "../records/Nobody.ts"
import { isOwnerless } from "../records/OwnerlessApps.ts"
import { isUnasked } from "../records/Unasked.ts"
import { liveClaims } from "./Claims.ts"
import { openReports } from "./OpenReports.ts"
import { openWishes } from "./OpenWishes.ts"
import { QueueFacts } from "./QueueFacts.ts"
import { queueSearch } from "./QueueSearch.ts"
import { QueueCounts, QueueState, type QueueWish } from "./QueueState.ts"
import { scopesInSql } from "./ScopesInSql.ts"
import { waitingApps } from "./WaitingApps.ts"

export interface QueueFilter extends QueueWish {
  /** Reader, whose claims are those of the state `mine`. */
  readonly reviewer?: UserId
  /**
   * Part of a name, a website or the host of a redirect URI; a whole client or owner id; a scope, or the beginning of
   * one as far as an underscore or another such mark. What a change asks for that waits or was rejected is found, too.
   */
  readonly search?: string
  /** Accounts that the search means as well: their apps are found (`searchOwners`). */
  readonly owners?: ReadonlyArray<UserId>
  /** Pages count from 1. */
  readonly page?: number
}

export interface QueuePage {
  readonly clients: ReadonlyArray<ManagedClient>
  /** Of each app of the page, what the list says beside it. */
  readonly facts: ReadonlyMap<string, QueueFacts>
  readonly total: number
  readonly page: number
  readonly pages: number
  /** Number of apps that the search and the filters find in each state. */
  readonly counts: QueueCounts
}

/** Queue that reviewers work through: the apps with something to decide, and by state all others. */
export const reviewQueue = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const catalogue = yield* Catalogue
  const repo = yield* ClientsRepo
  const reported = yield* openReports
  const { reviewReminderAfter } = yield* AppConfig
  const { matches } = queueSearch(catalogue, sql)
  const { isIn: isInArea, hasRisk, isRisk3, risk } = scopesInSql(catalogue, sql)

  const waiting = sql`${waitingApps(sql)} waiting`

  const waits = sql`(waiting.since IS NOT NULL AND NOT waiting.asked AND NOT waiting.imported)`

  const isIn = (state: QueueState) => {
    switch (state) {
      case "all":
        return sql`true`
      case "waiting":
        return sql`waits`
      case "changes":
        return sql`waits AND status <> 'pending'`
      case "risk3":
        return sql`is_risk3`
      case "overdue":
        return sql`overdue`
      case "mine":
        return sql`mine`
      case "asked":
        return sql`asked`
      case "imported":
        return sql`imported AND NOT asked`
      case "reported":
        return sql`reports > 0`
      case "ownerless":
        return sql`ownerless`
      default:
        return sql`status = ${state}`
    }
  }

  // Waiting apps come first, at the top those whose owner has answered, and then the longest waiting; after them the
  // others, the latest changed first. Of those that users have reported it is the one with the most reports.
  const orderOf = (state: QueueState, sort: NonNullable<QueueWish["sort"]>) => {
    const first = sort === "risk"
      ? sql`risk DESC, `
      : sort === "owner"
      ? sql`owner_id, `
      : state === "reported"
      ? sql`reports DESC, `
      : sql``
    return sql`${first}answered DESC, since, updated_at DESC, id`
  }

  // One statement: one scan of all apps gives the page, every count and what stands beside an app
  // (docs/decisions/review.md). The risk of each is only worked out where apps are sorted by it.
  const list = Effect.fn("ReviewQueue.list")(
    function*(filter: QueueFilter) {
      const { area, claimed, owners = [], page = 1, search = "", sort = "oldest", state = "waiting" } = filter
      const asked = Math.min(Math.max(1, page), mostPages)
      const id = isPlausible(search.trim()) ? search.trim() : null
      const wanted = sql.and([
        matches(search.trim(), owners),
        ...(filter.risk === undefined ? [] : [hasRisk(filter.risk)]),
        ...(area === undefined ? [] : [isInArea(area)]),
        ...(claimed === undefined
          ? []
          : [sql`claim.reviewer IS ${sql.literal(claimed === "yes" ? "NOT NULL" : "NULL")}`])
      ])
      const now = yield* DatabaseClock.statementStart
      const here = sql`FROM found WHERE ${isIn(state)}`
      const order = orderOf(state, sort)
      const numbers = sql.csv(
        states.flatMap((state) => [sql`${state}::text`, sql`count(*) FILTER (WHERE ${isIn(state)})`])
      )
      const found = yield* firstFound(
        sql`WITH found AS MATERIALIZED (
            SELECT clients.id, clients.owner_id, clients.status, clients.updated_at, waiting.since, ${waits} AS waits,
              waiting.asked IS TRUE AS asked, waiting.answered IS TRUE AS answered,
              waiting.imported IS TRUE AS imported, claim.reviewer, claim.at AS claimed_at,
              coalesce(claim.reviewer = ${filter.reviewer ?? null}::text, false) AS mine,
              coalesce(reported.reports, 0) AS reports, ${isOwnerless(sql)} AS ownerless, ${
          sort === "risk" ? risk : sql`0`
        } AS risk,
              CASE WHEN ${waits} THEN ${isRisk3} ELSE false END AS is_risk3, ${waits} AND clients.status <> 'suspended'
                AND waiting.since <= ${now} - ${Column.interval(reviewReminderAfter)} AS overdue
            FROM clients
              LEFT JOIN client_changes wanted ON wanted.client_id = clients.id
              LEFT JOIN ${waiting} ON waiting.id = clients.id
              LEFT JOIN ${yield* liveClaims(sql)} claim ON claim.client_id = clients.id
              LEFT JOIN ${reported} reported ON reported.client_id = clients.id
            WHERE clients.test_of IS NULL AND (NOT ${isUnasked(sql)} OR clients.id = ${id}) AND ${wanted}),
          shown AS (SELECT id, owner_id, since, asked, answered, overdue, imported, reports, ownerless, reviewer, claimed_at,
              waits,
              row_number() OVER (ORDER BY ${order}) AS place ${here} ORDER BY ${order}
            LIMIT ${pageSize} OFFSET LEAST(${asked}::int - 1, ((SELECT count(*) ${here}) - 1) / ${pageSize}) * ${pageSize}),
          records AS (SELECT owner_id, count(*) FILTER (WHERE status = 'approved') AS approved,
              count(*) FILTER (WHERE status = 'rejected') AS rejected,
              count(*) FILTER (WHERE status = 'suspended') AS suspended, count(*) AS apps
            FROM clients WHERE test_of IS NULL AND owner_id IN (SELECT owner_id FROM shown) GROUP BY owner_id)
          SELECT (SELECT jsonb_build_object(${numbers}) FROM found) AS counts,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('id', shown.id, 'waitingSince', since, 'isAsked', asked, 'isAnswered', answered,
                'isOverdue', overdue, 'isImported', imported, 'reports', reports, 'isOwnerless', ownerless,
                'wishes', CASE WHEN waits THEN coalesce(wishes, 0) ELSE 0 END,
                'claim', CASE WHEN reviewer IS NOT NULL THEN jsonb_build_object('reviewer', reviewer, 'at', claimed_at) END,
                'ownerRecord', CASE WHEN owner_id = ${nobody} THEN ${noRecord}::jsonb
                  ELSE to_jsonb(records) - 'owner_id' END) ORDER BY place), '[]')
              FROM shown JOIN records USING (owner_id)
                LEFT JOIN ${openWishes(sql)} wished ON wished.client_id = shown.id) AS shown`
      )
      const { counts, shown } = Option.getOrThrow(found)
      const total = counts[state]
      const pages = Math.max(1, Math.ceil(total / pageSize))
      const clients = yield* repo.findAll(shown.map(({ id }) => id))
      return {
        clients: yield* repo.withChanges(shown.flatMap(({ id }) => clients.get(id) ?? [])),
        facts: new Map(shown.map(({ id, ...facts }) => [id, facts])),
        total,
        page: Math.min(asked, pages),
        pages,
        counts
      }
    },
    Effect.orDie
  )

  /**
   * App to look at after this one: the one that has waited the longest of those that joined the queue after it, or else
   * the first of all: those whose owner has answered, and then the longest waiting. What other reviewers have claimed
   * is left to them. Those that nobody registered by hand are a queue of their own, which begins where the other one
   * ends.
   */
  const next = Effect.fn("ReviewQueue.next")(function*(reviewer: UserId, client: ManagedClient) {
    const { change, id, legacy, status, submittedAt } = client
    const place = sql`(${DateTime.toDateUtc(change?.submittedAt ?? submittedAt)}::timestamptz, ${id}::text)`
    // Only times and ids are sorted, and not the apps.
    const found = yield* allClients(sql`SELECT ${columns} FROM clients WHERE id =
      (SELECT id FROM ${waiting} WHERE id <> ${id} AND NOT asked
          AND id NOT IN (SELECT client_id FROM ${yield* liveClaims(sql)} live WHERE reviewer <> ${reviewer})
        ORDER BY imported = ${legacy && status === "pending"} DESC, NOT answered AND (since, id) > ${place} DESC,
          answered DESC, since, id LIMIT 1)`)
    return Option.fromUndefinedOr((yield* repo.withChanges(found))[0])
  }, Effect.orDie)

  return { list, next }
})

/** Record of nobody: apps that nobody registered have nothing in common by that. */
const noRecord = JSON.stringify({ approved: 0, rejected: 0, suspended: 0, apps: 1 })

const pageSize = 25
const mostPages = 1_000_000

const states = QueueState.literals

const firstFound = Rows.first(
  Schema.Struct({
    counts: QueueCounts,
    shown: Schema.Array(Schema.Struct({ id: Schema.String, ...QueueFacts.fields }))
  })
)

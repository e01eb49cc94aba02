import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import type { Scope, ScopeName } from "../../../domain/scopes/Scope.ts"
import { isPrintable } from "../../../domain/Text.ts"
import { containing } from "../../../foundation/database/Containing.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { ManagedClient } from "../records/Client.ts"
import { allClients, ClientsRepo, columns } from "../records/ClientsRepo.ts"
import { openReports } from "./OpenReports.ts"
import { QueueCounts, QueueState } from "./QueueState.ts"
import { waitingApps } from "./WaitingApps.ts"

export interface QueueFilter {
  readonly state?: QueueState
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
  /** By app of the page, how many reports of users no reviewer has dealt with; an app without one is absent. */
  readonly reports: ReadonlyMap<string, number>
  readonly total: number
  readonly page: number
  readonly pages: number
  /** Number of apps that the search finds in each state. */
  readonly counts: QueueCounts
}

/** Queue that reviewers work through: the apps with something to decide, and by state all others. */
export const reviewQueue = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { names } = yield* Catalogue
  const repo = yield* ClientsRepo
  const reported = yield* openReports

  const waiting = sql`${waitingApps(sql)} waiting`

  const matches = (text: string, owners: ReadonlyArray<UserId>) => {
    const part = containing(text)
    const scopes = scopesOf(names, text)
    const uris = sql`array_to_string(clients.redirect_uris || wanted.redirect_uris, ${"\n"})`
    return sql.or([
      ...["clients", "wanted"].flatMap((version) => [
        sql`${sql(version)}.name ILIKE ${part}`,
        sql`${sql(version)}.website ILIKE ${part}`,
        sql`${sql(version)}.scopes && ${scopes}::text[]`
      ]),
      sql`clients.id = ${text}`,
      sql`clients.owner_id = ANY(${[text, ...owners]}::text[])`,
      // The pattern alone would take ten times as long.
      sql`(${uris} ILIKE ${part} AND ${uris} ~* ${uriPattern(text)})`
    ])
  }

  const isIn = (state: QueueState) => {
    switch (state) {
      case "all":
        return sql`true`
      case "waiting":
        return sql`NOT asked`
      case "asked":
        return sql`asked`
      case "reported":
        return sql`reports IS NOT NULL`
      default:
        return sql`status = ${state}`
    }
  }

  // Waiting apps come first, at the top those whose owner has answered, and then the longest waiting; after them the
  // others, the latest changed first. Of those that users have reported it is the one with the most reports. One scan
  // of all apps gives the page and every count (docs/decisions/review.md).
  const list = Effect.fn("ReviewQueue.list")(
    function*({ owners = [], page = 1, search = "", state = "waiting" }: QueueFilter) {
      const text = search.trim()
      const asked = Math.min(Math.max(1, page), mostPages)
      const wanted = text === "" ? sql`true` : isPrintable(text) ? matches(text, owners) : sql`false`
      const here = sql`FROM found WHERE ${isIn(state)}`
      const order = sql`ORDER BY ${
        state === "reported" ? sql`reports DESC, ` : sql``
      }answered DESC, since, updated_at DESC, id`
      const numbers = sql.csv(
        states.flatMap((state) => [sql`${state}::text`, sql`count(*) FILTER (WHERE ${isIn(state)})`])
      )
      const found = yield* firstFound(
        sql`WITH found AS MATERIALIZED (
            SELECT clients.id, clients.status, clients.updated_at, waiting.since, asked,
              coalesce(answered, false) AS answered, reported.reports
            FROM clients
              LEFT JOIN client_changes wanted ON wanted.client_id = clients.id
              LEFT JOIN ${waiting} ON waiting.id = clients.id
              LEFT JOIN ${reported} reported ON reported.client_id = clients.id
            WHERE ${wanted}),
          shown AS (SELECT id, reports ${here} ${order}
            LIMIT ${pageSize} OFFSET LEAST(${asked}::int - 1, ((SELECT count(*) ${here}) - 1) / ${pageSize}) * ${pageSize})
          SELECT jsonb_build_object(${numbers}) AS counts, ARRAY(SELECT id FROM shown) AS ids,
            ARRAY(SELECT coalesce(reports, 0) FROM shown) AS reports
          FROM found`
      )
      const { counts, ids, reports } = Option.getOrThrow(found)
      const total = counts[state]
      const pages = Math.max(1, Math.ceil(total / pageSize))
      const clients = yield* repo.findAll(ids)
      return {
        clients: yield* repo.withChanges(ids.flatMap((id) => clients.get(id) ?? [])),
        reports: new Map(Array.zip(ids, reports).filter(([, count]) => count > 0)),
        total,
        page: Math.min(asked, pages),
        pages,
        counts
      }
    },
    Effect.orDie
  )

  /**
   * App that has waited the longest of those that joined the queue after this one, or else the first of all: those
   * whose owner has answered, and then the longest waiting.
   */
  const next = Effect.fn("ReviewQueue.next")(function*({ change, id, submittedAt }: ManagedClient) {
    const place = sql`(${DateTime.toDateUtc(change?.submittedAt ?? submittedAt)}::timestamptz, ${id}::text)`
    // Only times and ids are sorted, and not the apps.
    const found = yield* allClients(sql`SELECT ${columns} FROM clients WHERE id =
      (SELECT id FROM ${waiting} WHERE id <> ${id} AND NOT asked
        ORDER BY NOT answered AND (since, id) > ${place} DESC, answered DESC, since, id LIMIT 1)`)
    return Option.fromUndefinedOr((yield* repo.withChanges(found))[0])
  }, Effect.orDie)

  return { list, next }
})

const pageSize = 25
const mostPages = 1_000_000

/**
 * Words such as "booking" are in the names of too many scopes to mean one, unless one is the whole name. An app may
 * have a scope that the catalogue does not know.
 */
const scopesOf = (names: ReadonlyArray<Scope>, text: string): ReadonlyArray<ScopeName> => {
  const wanted = text.toLowerCase()
  const known = /[^\p{L}\p{N}]/u.test(text)
    ? names.filter((scope) => scope.toLowerCase().startsWith(wanted))
    : names.filter((scope) => scope.toLowerCase() === wanted)
  return [text, ...known]
}

/**
 * Whole URIs where the text has a slash; else only their hosts, or their schemes where these are names of apps (RFC
 * 8252 §7.1). A line holds one URI.
 */
const uriPattern = (text: string): string => {
  const literal = text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&")
  return text.includes("/") ? literal : `(^|\n)(https?://)?[^/?#\n]*${literal}`
}

const states = QueueState.literals

const firstFound = Rows.first(
  Schema.Struct({ counts: QueueCounts, ids: Schema.Array(Schema.String), reports: Schema.Array(Schema.Int) })
)

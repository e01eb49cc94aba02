import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { answerOf } from "../../../foundation/outbound/PublicHttps.ts"
import { Budgets } from "../../limits/Budgets.ts"
import type { ManagedClient } from "../records/Client.ts"
import { isUnasked } from "../records/Unasked.ts"

/** What the website of an app did when it was last asked. */
const WebsiteLook = Schema.Struct({
  url: Schema.String,
  at: Schema.DateTimeUtcFromDate,
  outcome: Schema.Literals(["answered", "no_address", "redirects", "silent", "not_asked"]),
  /** HTTP status, where it answered. */
  status: Schema.NullOr(Schema.Int),
  /** Host that gave the answer, where redirects led to another. */
  host: Schema.NullOr(Schema.String)
})
export type WebsiteLook = typeof WebsiteLook.Type

/** Website of the version that an approval would make serve. */
export const websiteOf = ({ change, website }: ManagedClient): string => change?.isWaiting ? change.website : website

/**
 * Asks the websites of apps that wait for review, once a day and when a reviewer wants it, by the rules for foreign
 * hosts (`PublicHttps`). No page view asks any: pages show the last answer, and when it came.
 */
export const websiteLooks = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const budgets = yield* Budgets

  const find = Effect.fn("WebsiteLooks.find")((id: string) =>
    Effect.orDie(firstLook(sql`SELECT url, at, outcome, status, host FROM website_looks WHERE client_id = ${id}`))
  )

  const ask = Effect.fn("WebsiteLooks.ask")(function*(clientId: string, url: string) {
    const { host, outcome, status } = yield* answerOf(url).pipe(
      Effect.map(({ host, status }) => ({ outcome: "answered", status, host: namedOnlyIfOther(host, url) } as const)),
      Effect.catchTag("FetchRefused", ({ reason }) => Effect.succeed(without(outcomes.get(reason.rule.code)))),
      Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.succeed(without()) })
    )
    const at = DateTime.toDateUtc(yield* DateTime.now)
    // The app may have been deleted meanwhile.
    yield* sql`INSERT INTO website_looks (client_id, url, at, outcome, status, host)
      SELECT id, ${url}, ${at}, ${outcome}, ${status}, ${host} FROM clients WHERE id = ${clientId}
      ON CONFLICT (client_id) DO UPDATE SET url = excluded.url, at = excluded.at, outcome = excluded.outcome,
        status = excluded.status, host = excluded.host`
  }, Effect.orDie)

  /** Asks those that were never asked, or a day ago, the longest ago last; answers how many. */
  const askDue = Effect.gen(function*() {
    const since = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, age))
    const due = yield* sql<{ clientId: string; website: string }>`SELECT v.client_id, v.website FROM (
        SELECT id AS client_id, website FROM clients WHERE status = 'pending' AND NOT ${isUnasked(sql)}
        UNION ALL
        SELECT client_id, website FROM client_changes WHERE rejection_reason IS NULL
      ) v LEFT JOIN website_looks l ON l.client_id = v.client_id AND l.url = v.website
      WHERE v.website ~* '^https:' AND (l.at IS NULL OR l.at <= ${since})
      ORDER BY l.at NULLS FIRST, v.client_id LIMIT ${batch}`
    yield* Effect.forEach(due, ({ clientId, website }) => ask(clientId, website), { concurrency: 4, discard: true })
    return due.length
  }).pipe(Effect.orDie, Effect.withSpan("WebsiteLooks.askDue"))

  return {
    find,
    /** Asks the website of this app now, for a reviewer. */
    askFor: Effect.fn("WebsiteLooks.askFor")(function*(reviewer: UserId, client: ManagedClient) {
      yield* budgets.spend("website", reviewer)
      const website = websiteOf(client)
      if (/^https:/i.test(website)) yield* ask(client.id, website)
    }),
    askDue
  }
})

/** Time in which a website has to answer; a reviewer waits as long. */
const limit = Duration.seconds(4)
const age = Duration.days(1)
const batch = 200

const namedOnlyIfOther = (host: string, url: string): string | null => host === new URL(url).hostname ? null : host

const without = (outcome: Exclude<WebsiteLook["outcome"], "answered"> = "silent") => ({
  outcome,
  status: null,
  host: null
})

const outcomes = new Map<string, Exclude<WebsiteLook["outcome"], "answered">>([
  ["logoNotPublic", "no_address"],
  ["logoPort", "not_asked"],
  ["logoRedirects", "redirects"]
])

const firstLook = Rows.first(WebsiteLook)

import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Cursor from "../../../domain/Cursor.ts"
import type { ClientId } from "../../../domain/Ids.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { isPlausible } from "../records/ClientsRepo.ts"
import { type RefusalEndpoint, RefusedRequest } from "./RefusedRequest.ts"

/** Refused requests that the owner of an app looks for: all, or those for which each word holds that is given. */
export interface RefusalWish {
  readonly reference?: string | undefined
  readonly error?: string | undefined
  readonly endpoint?: RefusalEndpoint | undefined
  /** Only requests of this time or later; what came before does not count in `times`. */
  readonly since?: DateTime.Utc | undefined
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

/** Causes of refusals, the latest first; `nextCursor` is `null` on the last page. */
export interface RefusalPage {
  readonly causes: ReadonlyArray<RefusedRequest>
  readonly nextCursor: string | null
}

/**
 * Makes what reads the refused requests of an app for its owner, by their causes. An app has a few hundred rows at
 * most, so that each page is made of all of them. A cause that comes again meanwhile moves to the front, where the next
 * look finds it.
 */
export const refusalCauses = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    Effect.fn("RefusedRequests.page")(
      function*(clientId: ClientId, wish: RefusalWish) {
        const { cursor, endpoint, error, limit = usualLimit, reference, since } = wish
        const place = cursor === undefined ? undefined : yield* Cursor.decode("latest", /^\d{1,18}$/, cursor)
        // The database would refuse some texts with an error.
        if (![reference, error].every((text) => text === undefined || isPlausible(text))) return none
        const rows = yield* sql<{ readonly place: string }>`
          SELECT max(at) AS at, endpoint, error, reason, sum(times)::integer AS times,
            (array_agg(reference ORDER BY id DESC))[1] AS reference, max(id)::text AS place
          FROM refused_requests
          WHERE ${
          sql.and([
            sql`client_id = ${clientId}`,
            ...(reference === undefined ? [] : [sql`reference = ${reference}`]),
            ...(error === undefined ? [] : [sql`error = ${error}`]),
            ...(endpoint === undefined ? [] : [sql`endpoint = ${endpoint}`]),
            ...(since === undefined ? [] : [sql`at >= ${DateTime.toDateUtc(since)}`])
          ])
        }
          GROUP BY endpoint, error, reason
          HAVING ${place === undefined ? sql`true` : sql`max(id) < ${place.key}::text::bigint`}
          ORDER BY max(id) DESC LIMIT ${limit + 1}`
        const page = rows.slice(0, limit)
        const last = rows.length > limit ? page.at(-1) : undefined
        return {
          causes: yield* allRefused(Effect.succeed(page)),
          nextCursor: last === undefined ? null : Cursor.encode({ order: "latest", key: last.place, id: clientId })
        } satisfies RefusalPage
      },
      Effect.catchTag("SqlError", Effect.die)
    )
)

const allRefused = Rows.all(RefusedRequest)
const none: RefusalPage = { causes: [], nextCursor: null }
const usualLimit = 50

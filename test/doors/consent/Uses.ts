import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Grants } from "../../../src/core/grants/Grants.ts"
import { rowsOf } from "../../../src/core/usage/UsageBatch.ts"
import { UsageInbox } from "../../../src/core/usage/UsageInbox.ts"
import type { ClientId, GrantId, UserId } from "../../../src/domain/Ids.ts"
import type { GrantedScopes, ScopeName } from "../../../src/domain/scopes/Scope.ts"
import { grant } from "./Scenario.ts"

// Use of grants as servers hand it over, at times before now.

/** Lets each call since this instant count as seen. */
export const seenSince = Effect.fnUntraced(function*(at: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM usage_gaps`
  yield* sql`INSERT INTO usage_gaps (day, reason, calls)
    VALUES (${DateTime.formatIsoDateUtc(at)}::text::date - 1, 'dropped', 1)`
}, Effect.orDie)

/** Gives an app access, so many days ago; its tokens have been refreshed since. */
export const allowed = Effect.fnUntraced(function*(
  userId: UserId,
  clientId: ClientId,
  scopes: GrantedScopes,
  days: number
) {
  const sql = yield* SqlClient.SqlClient
  yield* grant(userId, clientId, scopes)
  const [newest] = yield* (yield* Grants).listLive(userId, clientId)
  const at = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, { days }))
  yield* sql`UPDATE grants SET created_at = ${at} WHERE id = ${newest!.id}`
  return newest!.id
}, Effect.orDie)

/** Notes calls with a grant, all so long ago. */
export const called = Effect.fnUntraced(function*(
  grantId: GrantId,
  need: ScopeName,
  calls: number,
  ago: Partial<DateTime.DateTime.PartsForMath>
) {
  const at = Math.floor(DateTime.subtract(yield* DateTime.now, ago).epochMilliseconds / 1000)
  const grants = [{ grantId, need, calls, first: at, last: at }]
  yield* (yield* UsageInbox).deliver({
    sender: "a test",
    batch: randomUUID(),
    rows: rowsOf({ at, grants, needs: [], operations: [] }),
    gaps: []
  })
}, Effect.orDie)

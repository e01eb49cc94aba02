import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"

/**
 * Whether test apps can be used: while `TEST_APPS` is on and their apps are neither rejected nor suspended. It is their
 * status, which every token request reads of its client anyway. Joins the caller's transaction.
 */
export const testStanding = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { testApps } = yield* AppConfig

  /** Brings the test app of one app, or those of all, to the status that it has now. */
  const follow = Effect.fn("TestStanding.follow")(function*(appId: ClientId | undefined) {
    const now = DateTime.toDateUtc(yield* DateTime.now)
    yield* sql`UPDATE clients test SET status = due.status, version = test.version + 1, updated_at = ${now}
      FROM (SELECT copy.id, CASE WHEN ${testApps}::boolean AND app.status IN ('pending', 'approved')
          THEN 'approved' ELSE 'suspended' END AS status
        FROM clients copy JOIN clients app ON app.id = copy.test_of
        WHERE ${appId === undefined ? sql`true` : sql`app.id = ${appId}`}) due
      WHERE test.id = due.id AND test.status <> due.status`
  }, Effect.orDie)

  const endOf = Effect.fn("TestStanding.endOf")((appId: ClientId) =>
    Effect.orDie(Effect.asVoid(sql`DELETE FROM clients WHERE test_of = ${appId}`))
  )

  return { follow, endOf }
})

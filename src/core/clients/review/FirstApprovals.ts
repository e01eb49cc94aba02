import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import type { ManagedClient } from "../records/Client.ts"
import { FirstApproval } from "./Decision.ts"

/** Table `review_approvals`: approvals of what needs two, by the first reviewer. They are of one version of the app. */
export const firstApprovals = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  const find = Effect.fn("FirstApprovals.find")(
    ({ id, version }: ManagedClient) =>
      approvalOf(sql`SELECT ${Column.names(FirstApproval.fields)} FROM review_approvals
        WHERE client_id = ${id} AND version = ${version}`),
    Effect.orDie
  )

  const keep = Effect.fn("FirstApprovals.keep")(
    function*(reviewer: Reviewer, { id, version }: ManagedClient, without: ReadonlyArray<string>) {
      yield* sql`INSERT INTO review_approvals (client_id, version, reviewer, at, without)
        VALUES (${id}, ${version}, ${reviewer}, ${yield* DatabaseClock.statementNow}, ${without}::text[])
        ON CONFLICT (client_id) DO UPDATE SET version = excluded.version, reviewer = excluded.reviewer,
          at = excluded.at, without = excluded.without`
    },
    Effect.orDie
  )

  /** Forgets it once the app was decided on. */
  const forget = Effect.fn("FirstApprovals.forget")(
    (id: string) => Effect.asVoid(sql`DELETE FROM review_approvals WHERE client_id = ${id}`),
    Effect.orDie
  )

  /** Takes the approval of this reviewer back; tells whether there was one. */
  const withdraw = Effect.fn("FirstApprovals.withdraw")(
    (reviewer: Reviewer, { id, version }: ManagedClient) =>
      Effect.map(
        sql`DELETE FROM review_approvals WHERE client_id = ${id} AND version = ${version} AND reviewer = ${reviewer}
          RETURNING 1`,
        (rows) => rows.length > 0
      ),
    Effect.orDie
  )

  return { find, forget, keep, withdraw }
})

const approvalOf = Rows.first(FirstApproval)

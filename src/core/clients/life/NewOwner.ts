import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict } from "../../../domain/ApiError.ts"
import type { ManagedClient } from "../records/Client.ts"
import { testStanding } from "./TestStanding.ts"
import type { Transition } from "./Transition.ts"

/**
 * Makes what follows from another first owner, within the transaction of the change. Who was a co-owner knows the test
 * app of the app and its guests, and keeps it; what guests were invited to by one owner is not a stranger's.
 */
export const newOwner = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tests = yield* testStanding

  return Effect.fn("NewOwner.passOn")(
    function*({ id, ownerId: before }: ManagedClient, { action, client: { ownerId } }: Transition) {
      const [known] = yield* sql<{ readonly isHere: boolean }>`SELECT a.disabled_at IS NULL AS is_here
        FROM client_owners o LEFT JOIN accounts a ON a.id = o.account_id
        WHERE o.client_id = ${id} AND o.account_id = ${ownerId}`
      if (action === "client.change_approved" && known?.isHere !== true) return yield* isGone
      if (known === undefined) yield* tests.endOf(id)
      else yield* sql`UPDATE clients SET owner_id = ${ownerId} WHERE test_of = ${id}`
      // The row that the new owner had as a co-owner stays, and means nothing: it comes back with an undone decision.
      switch (action) {
        case "client.change_approved":
        case "client.inherited": {
          const since = DateTime.toDateUtc(yield* DateTime.now)
          yield* sql`INSERT INTO client_owners (client_id, account_id, role, since)
            VALUES (${id}, ${before}, 'developer', ${since})
            ON CONFLICT (client_id, account_id) DO UPDATE SET role = excluded.role, since = excluded.since`
          return
        }
        case "client.change_approval_undone":
          yield* sql`DELETE FROM client_owners WHERE client_id = ${id} AND account_id = ${ownerId}`
          return
        default:
          // An operator gives it to somebody who has invited nobody; co-owners stay, and the new owner sees them.
          yield* sql`DELETE FROM client_owners WHERE client_id = ${id} AND account_id = ${ownerId}`
          yield* sql`DELETE FROM owner_invitations WHERE client_id = ${id}`
      }
    },
    Effect.catchTag("SqlError", Effect.die)
  )
})

const isGone = new Conflict({
  code: "next_owner_gone",
  message: "Whose app it is to be has left it or the platform: reject the change, or ask its owner."
})

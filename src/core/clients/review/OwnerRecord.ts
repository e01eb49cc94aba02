import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientStatus, ManagedClient } from "../records/Client.ts"
import { nobody } from "../records/Nobody.ts"

/** What became of the other apps of an app's owner: their number by state. */
export type OwnerRecord = Readonly<Partial<Record<ClientStatus, number>>>

/** Makes what counts them, for reviewers. */
export const ownerRecord = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    Effect.fn("OwnerRecord.of")(function*({ id, ownerId }: ManagedClient) {
      // Apps that nobody registered have nothing in common by that.
      if (ownerId === nobody) return {}
      const rows = yield* sql<{ readonly status: ClientStatus; readonly apps: number }>`
      SELECT status, count(*)::int AS apps FROM clients
      WHERE owner_id = ${ownerId} AND id <> ${id} AND test_of IS NULL GROUP BY status`
      const record: OwnerRecord = Object.fromEntries(rows.map(({ apps, status }) => [status, apps]))
      return record
    }, Effect.orDie)
)

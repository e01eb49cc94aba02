import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type Client, isWithoutOwner } from "./Client.ts"

/**
 * Since when an app has held all of its scopes, at the latest. Nobody keeps it for each of them, so a decision of a
 * reviewer counts as having given the last one. A legacy app may save its own at once, and apps that nobody registered
 * by hand change by themselves; what owners take away does not count.
 */
export const scopesHeldSince = (client: Client): DateTime.Utc =>
  [client.migratedAt, isWithoutOwner(client) ? client.updatedAt : null].reduce<DateTime.Utc>(
    (latest, at) => at === null ? latest : DateTime.max(latest, at),
    client.reviewedAt ?? client.createdAt
  )

/** Same of a row of `clients`. */
export const heldSince = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`GREATEST(coalesce(reviewed_at, created_at), migrated_at, CASE WHEN origin <> 'registered' THEN updated_at END)`

import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"

/** Causes for which requests of a legacy client are refused once its scopes are saved: see `Refusals`. */
export type RefusalCause = "withoutScope" | "refusedScopes" | "supersededGrants"

/** Adds to the refusals since the scopes of these clients were saved; clients that are not migrated are left out. */
export const addRefusals = Effect.fnUntraced(function*(cause: RefusalCause, refused: ReadonlyMap<ClientId, number>) {
  const sql = yield* SqlClient.SqlClient
  const at = DateTime.toDateUtc(yield* DateTime.now)
  // In the order of the key, so that two nodes cannot deadlock.
  yield* sql`INSERT INTO legacy_refusals AS r
      (client_id, migrated_at, requests, last_at, refused_scopes, superseded_grants)
    SELECT c.id, c.migrated_at, n.requests, ${at}::timestamptz,
      CASE WHEN ${cause === "refusedScopes"} THEN n.requests ELSE 0 END,
      CASE WHEN ${cause === "supersededGrants"} THEN n.requests ELSE 0 END
    FROM unnest(${[...refused.keys()]}::text[], ${[...refused.values()]}::int[]) AS n (id, requests)
      JOIN clients c ON c.id = n.id AND c.migrated_at IS NOT NULL
    ORDER BY c.id
    ON CONFLICT (client_id, migrated_at) DO UPDATE SET requests = r.requests + excluded.requests,
      last_at = excluded.last_at, refused_scopes = r.refused_scopes + excluded.refused_scopes,
      superseded_grants = r.superseded_grants + excluded.superseded_grants`
})

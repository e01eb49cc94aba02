import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../../../domain/Ids.ts"

/** Causes for which requests of a legacy client are refused once its scopes are saved: see `Refusals`. */
export type RefusalCause = "withoutScope" | "refusedScopes" | "refusedCalls" | "supersededGrants"

/** Adds to the refusals since the scopes of these clients were saved; clients that are not migrated are left out. */
export const addRefusals = Effect.fnUntraced(
  function*(refused: ReadonlyMap<ClientId, ReadonlyMap<RefusalCause, number>>) {
    const sql = yield* SqlClient.SqlClient
    const at = DateTime.toDateUtc(yield* DateTime.now)
    const entries = [...refused]
    const column = (cause: RefusalCause) => entries.map(([, counts]) => counts.get(cause) ?? 0)
    // In the order of the key, so that two nodes cannot deadlock.
    yield* sql`INSERT INTO legacy_refusals AS r
        (client_id, migrated_at, requests, last_at, refused_scopes, refused_calls, superseded_grants)
      SELECT c.id, c.migrated_at, n.without + n.scopes + n.calls + n.grants, ${at}::timestamptz, n.scopes, n.calls, n.grants
      FROM unnest(${entries.map(([id]) => id)}::text[], ${column("withoutScope")}::int[],
        ${column("refusedScopes")}::int[], ${column("refusedCalls")}::int[], ${column("supersededGrants")}::int[])
        AS n (id, without, scopes, calls, grants)
        JOIN clients c ON c.id = n.id AND c.migrated_at IS NOT NULL
      ORDER BY c.id
      ON CONFLICT (client_id, migrated_at) DO UPDATE SET requests = r.requests + excluded.requests,
        last_at = excluded.last_at, refused_scopes = r.refused_scopes + excluded.refused_scopes,
        refused_calls = r.refused_calls + excluded.refused_calls,
        superseded_grants = r.superseded_grants + excluded.superseded_grants`
  }
)

export interface Index {
  readonly name: string
  /** What stands behind the name in `CREATE INDEX`. */
  readonly on: string
}

/**
 * The indexes that are built while the servers work, after the migrations: building one takes minutes where a table is
 * large, and one of a migration would hold up every write to it meanwhile. Each makes something faster, and nothing may
 * need it in order to be right.
 */
export const indexes: ReadonlyArray<Index> = [
  // The rows of a time: what an operator asks for, and what is past its time.
  { name: "audit_log_at", on: "audit_log (at)" },
  // What the worker looks for that fetches logos.
  { name: "clients_logo_missing", on: "clients (id) WHERE logo_url IS NOT NULL AND logo_digest IS NULL" },
  // Apps of one purpose (`PurposeCopies`).
  {
    name: "clients_purpose",
    on: "clients (md5(lower(regexp_replace(purpose, '[[:space:][:punct:]]+', '', 'g'))))"
  },
  // What is about to end, and what ended long ago.
  { name: "api_keys_expires_at", on: "api_keys (expires_at) WHERE expires_at IS NOT NULL" },
  // What ends, and what was found where it should not be.
  { name: "client_secrets_ends_at", on: "client_secrets (ends_at) WHERE ends_at IS NOT NULL" },
  { name: "client_secrets_digest", on: "client_secrets (digest)" },
  // The sessions that a provider ends by its name for its own alone.
  { name: "sessions_sid", on: "sessions (sid, issuer) WHERE sid IS NOT NULL" },
  // What support looks for, and what is forgotten with a person.
  { name: "refused_requests_reference", on: "refused_requests (reference) WHERE reference IS NOT NULL" },
  { name: "refused_requests_user_id", on: "refused_requests (user_id) WHERE user_id IS NOT NULL" },
  // What users report of apps, a handful in a trail of millions: the review queue counts it.
  { name: "audit_log_reported", on: "audit_log (client_id, id) WHERE action = 'client.reported'" },
  // What ends with a resource. No grant for the API is in it.
  { name: "grants_resource", on: "grants (resource) WHERE resource IS NOT NULL" }
]

/** A presented code, with the grant it is to become. */
export interface Exchange {
  readonly codeDigest: Buffer
  readonly clientId: string
  readonly redirectUri: string
  readonly grantId: string
  readonly refreshDigest: Buffer
}

export interface Refresh {
  readonly grantId: string
  readonly clientId: string
  readonly refreshDigest: Buffer
  readonly successorDigest: Buffer
}

export interface Granted {
  readonly userId: string
  readonly scopes: string
}

/** Three statements that no durable authorization server can do without; `undefined` is a refusal. */
export interface Store {
  /** Spends the code and inserts its grant, or does neither. */
  readonly exchange: (input: Exchange) => Promise<Granted | undefined>
  /** Replaces the one valid refresh token of a grant. */
  readonly refresh: (input: Refresh) => Promise<Granted | undefined>
  /** User and scopes of a grant, if it is live. */
  readonly find: (grantId: string) => Promise<Granted | undefined>
}

/** Minimum that these statements need: no foreign keys, and no index but the primary keys. */
export const tables = [
  `CREATE TABLE clients (id text PRIMARY KEY, secret_digest bytea NOT NULL)`,
  `CREATE TABLE codes (
    digest bytea PRIMARY KEY,
    client_id text NOT NULL,
    user_id text NOT NULL,
    scopes text NOT NULL,
    redirect_uri text NOT NULL,
    expires_at timestamptz NOT NULL,
    grant_id uuid
  )`,
  `CREATE TABLE grants (
    id uuid PRIMARY KEY,
    client_id text NOT NULL,
    user_id text NOT NULL,
    scopes text NOT NULL,
    refresh_digest bytea NOT NULL,
    rotated_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
  ) WITH (fillfactor = 80)`
]

export const grantLifetimeMillis = 365 * 86_400_000

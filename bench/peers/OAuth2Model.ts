import type {
  AuthorizationCode,
  AuthorizationCodeModel,
  Client,
  RefreshTokenModel,
  Token
} from "@node-oauth/oauth2-server"
import { hash, timingSafeEqual } from "node:crypto"
import type { Pool } from "pg"

/** Codes and tokens by their digests, a row for each pair of tokens. */
export const tables = [
  `CREATE TABLE clients (id text PRIMARY KEY, secret_digest bytea NOT NULL, redirect_uri text NOT NULL)`,
  `CREATE TABLE codes (
    digest bytea PRIMARY KEY,
    client_id text NOT NULL,
    user_id text NOT NULL,
    scopes text[] NOT NULL,
    redirect_uri text NOT NULL,
    code_challenge text NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE TABLE tokens (
    access_digest bytea PRIMARY KEY,
    refresh_digest bytea NOT NULL UNIQUE,
    client_id text NOT NULL,
    user_id text NOT NULL,
    scopes text[] NOT NULL,
    access_expires_at timestamptz NOT NULL,
    refresh_expires_at timestamptz NOT NULL
  )`
]

interface ClientRow {
  readonly id: string
  readonly secret_digest: Buffer
  readonly redirect_uri: string
}

interface CodeRow {
  readonly client_id: string
  readonly user_id: string
  readonly scopes: Array<string>
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly expires_at: Date
}

interface TokenRow {
  readonly client_id: string
  readonly user_id: string
  readonly scopes: Array<string>
  readonly access_expires_at: Date
  readonly refresh_expires_at: Date
}

/** Model of `@node-oauth/oauth2-server`: one prepared statement for each of its questions, and clients in memory. */
export const modelOn = async (pool: Pool): Promise<AuthorizationCodeModel & RefreshTokenModel> => {
  const { rows } = await pool.query<ClientRow>("SELECT id, secret_digest, redirect_uri FROM clients")
  const clients = new Map(rows.map(({ id, redirect_uri, secret_digest }) => {
    const client: Client = { id, grants: ["authorization_code", "refresh_token"], redirectUris: [redirect_uri] }
    return [id, { client, secretDigest: secret_digest }]
  }))
  const clientOf = (id: string): Client => clients.get(id)?.client ?? { id, grants: [] }
  const run = <Row extends object>(name: string, text: string, values: Array<unknown>) =>
    pool.query<Row>({ name, text, values })

  const tokenBy = async (column: "access_digest" | "refresh_digest", value: string) => {
    const { rows } = await run<TokenRow>(
      `find by ${column}`,
      `SELECT client_id, user_id, scopes, access_expires_at, refresh_expires_at FROM tokens WHERE ${column} = $1`,
      [digest(value)]
    )
    return rows[0]
  }

  return {
    getClient: async (id, secret) => {
      const known = clients.get(id)
      return known !== undefined && timingSafeEqual(known.secretDigest, digest(secret)) ? known.client : undefined
    },

    getAuthorizationCode: async (code) => {
      const { rows } = await run<CodeRow>(
        "find code",
        `SELECT client_id, user_id, scopes, redirect_uri, code_challenge, expires_at FROM codes WHERE digest = $1`,
        [digest(code)]
      )
      const row = rows[0]
      if (row === undefined) return undefined
      const found: AuthorizationCode = {
        authorizationCode: code,
        expiresAt: row.expires_at,
        redirectUri: row.redirect_uri,
        scope: row.scopes,
        codeChallenge: row.code_challenge,
        codeChallengeMethod: "S256",
        client: clientOf(row.client_id),
        user: { id: row.user_id }
      }
      return found
    },

    revokeAuthorizationCode: async ({ authorizationCode }) => {
      const { rowCount } = await run("spend code", `DELETE FROM codes WHERE digest = $1`, [digest(authorizationCode)])
      return rowCount === 1
    },

    saveAuthorizationCode: () => Promise.reject(new Error("Codes are made by the benchmark")),

    saveToken: async (token, client, user) => {
      await run(
        "save token",
        `INSERT INTO tokens VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [
          digest(token.accessToken),
          digest(token.refreshToken ?? ""),
          client.id,
          user["id"],
          token.scope,
          token.accessTokenExpiresAt,
          token.refreshTokenExpiresAt
        ]
      )
      const saved: Token = { ...token, client, user }
      return saved
    },

    getAccessToken: async (accessToken) => {
      const row = await tokenBy("access_digest", accessToken)
      if (row === undefined) return undefined
      return {
        accessToken,
        accessTokenExpiresAt: row.access_expires_at,
        scope: row.scopes,
        client: clientOf(row.client_id),
        user: { id: row.user_id }
      }
    },

    getRefreshToken: async (refreshToken) => {
      const row = await tokenBy("refresh_digest", refreshToken)
      if (row === undefined) return undefined
      return {
        refreshToken,
        refreshTokenExpiresAt: row.refresh_expires_at,
        scope: row.scopes,
        client: clientOf(row.client_id),
        user: { id: row.user_id }
      }
    },

    revokeToken: async ({ refreshToken }) => {
      const { rowCount } = await run("revoke token", `DELETE FROM tokens WHERE refresh_digest = $1`, [
        digest(refreshToken)
      ])
      return rowCount === 1
    }
  }
}

const digest = (text: string): Buffer => hash("sha256", text, "buffer")

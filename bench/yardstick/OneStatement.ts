import type { Pool } from "pg"
import { type Granted, grantLifetimeMillis, type Store } from "./Store.ts"

/** Each request is one statement, and so one transaction, on a pooled connection. */
export const oneStatement = (pool: Pool): Store => {
  const one = async (name: string, text: string, values: Array<unknown>): Promise<Granted | undefined> =>
    (await pool.query<Granted>({ name, text, values })).rows[0]

  return {
    exchange: (input) => {
      const now = new Date()
      return one("exchange", exchange, [
        input.codeDigest,
        input.clientId,
        input.redirectUri,
        input.grantId,
        input.refreshDigest,
        now,
        new Date(now.getTime() + grantLifetimeMillis)
      ])
    },
    refresh: (input) =>
      one("refresh", refresh, [input.grantId, input.clientId, input.refreshDigest, input.successorDigest, new Date()]),
    find: (grantId) => one("find", find, [grantId, new Date()])
  }
}

const exchange = `
  WITH spent AS (
    UPDATE codes SET grant_id = $4
    WHERE digest = $1 AND client_id = $2 AND redirect_uri = $3 AND grant_id IS NULL AND expires_at > $6
    RETURNING user_id, scopes
  )
  INSERT INTO grants (id, client_id, user_id, scopes, refresh_digest, rotated_at, expires_at)
  SELECT $4, $2, user_id, scopes, $5, $6, $7 FROM spent
  RETURNING user_id AS "userId", scopes`

const refresh = `
  UPDATE grants SET refresh_digest = $4, rotated_at = $5
  WHERE id = $1 AND client_id = $2 AND refresh_digest = $3 AND revoked_at IS NULL AND expires_at > $5
  RETURNING user_id AS "userId", scopes`

const find = `
  SELECT user_id AS "userId", scopes FROM grants WHERE id = $1 AND revoked_at IS NULL AND expires_at > $2`

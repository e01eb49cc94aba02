import type { Pool } from "pg"
import { type Exchange, type Granted, grantLifetimeMillis, type Refresh, type Store } from "./Store.ts"

/** Requests that wait at the same time share one statement, and so one commit. */
export const batched = (pool: Pool): Store => {
  const all = async (name: string, text: string, values: Array<unknown>, size: number) => {
    const { rows } = await pool.query<Granted & { n: number }>({ name, text, values })
    const answers = Array.from<Granted | undefined>({ length: size })
    for (const row of rows) answers[row.n - 1] = row
    return answers
  }

  return {
    exchange: inBatches<Exchange>((inputs) => {
      const now = new Date()
      return all("exchange", exchange, [
        inputs.map((input) => input.codeDigest),
        inputs.map((input) => input.clientId),
        inputs.map((input) => input.redirectUri),
        inputs.map((input) => input.grantId),
        inputs.map((input) => input.refreshDigest),
        now,
        new Date(now.getTime() + grantLifetimeMillis)
      ], inputs.length)
    }),
    refresh: inBatches<Refresh>((inputs) =>
      all("refresh", refresh, [
        inputs.map((input) => input.grantId),
        inputs.map((input) => input.clientId),
        inputs.map((input) => input.refreshDigest),
        inputs.map((input) => input.successorDigest),
        new Date()
      ], inputs.length)
    ),
    find: inBatches<string>((grantIds) => all("find", find, [grantIds, new Date()], grantIds.length))
  }
}

const largestBatch = 64
const batchesInFlight = Number(process.env["BATCHES"] ?? 2)

/** While some batches are at the database the next one fills. */
const inBatches = <In>(run: (inputs: ReadonlyArray<In>) => Promise<ReadonlyArray<Granted | undefined>>) => {
  let waiting: Array<{ input: In; resolve: (granted: Granted | undefined) => void; reject: (cause: unknown) => void }> =
    []
  let inFlight = 0
  let scheduled = false

  const flush = (): void => {
    scheduled = false
    while (waiting.length > 0 && inFlight < batchesInFlight) {
      const batch = waiting.splice(0, largestBatch)
      inFlight++
      run(batch.map((entry) => entry.input)).then(
        (answers) => batch.forEach((entry, i) => entry.resolve(answers[i])),
        (cause) => batch.forEach((entry) => entry.reject(cause))
      ).finally(() => {
        inFlight--
        flush()
      })
    }
  }

  return (input: In): Promise<Granted | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!scheduled && inFlight < batchesInFlight) {
        scheduled = true
        // Requests that the sockets hold at this moment join the same batch.
        setImmediate(flush)
      }
    })
}

const exchange = `
  WITH input AS (
    SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::uuid[], $5::bytea[])
      WITH ORDINALITY AS t (digest, client_id, redirect_uri, grant_id, refresh_digest, n)
  ), spent AS (
    UPDATE codes SET grant_id = input.grant_id FROM input
    WHERE codes.digest = input.digest AND codes.client_id = input.client_id
      AND codes.redirect_uri = input.redirect_uri AND codes.grant_id IS NULL AND codes.expires_at > $6
    RETURNING input.n, input.grant_id, input.refresh_digest, codes.client_id, codes.user_id, codes.scopes
  ), inserted AS (
    INSERT INTO grants (id, client_id, user_id, scopes, refresh_digest, rotated_at, expires_at)
    SELECT grant_id, client_id, user_id, scopes, refresh_digest, $6, $7 FROM spent
  )
  SELECT n::int, user_id AS "userId", scopes FROM spent`

const refresh = `
  UPDATE grants SET refresh_digest = input.successor_digest, rotated_at = $5
  FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::bytea[])
    WITH ORDINALITY AS input (id, client_id, refresh_digest, successor_digest, n)
  WHERE grants.id = input.id AND grants.client_id = input.client_id AND grants.refresh_digest = input.refresh_digest
    AND grants.revoked_at IS NULL AND grants.expires_at > $5
  RETURNING input.n::int, grants.user_id AS "userId", grants.scopes`

const find = `
  SELECT input.n::int, user_id AS "userId", scopes
  FROM unnest($1::uuid[]) WITH ORDINALITY AS input (id, n)
  JOIN grants ON grants.id = input.id
  WHERE revoked_at IS NULL AND expires_at > $2`

import type { Adapter, AdapterPayload } from "oidc-provider"
import type { Pool } from "pg"

/** Models that token requests touch; the others are for the pages, which are not measured. */
export const models = ["AuthorizationCode", "AccessToken", "RefreshToken", "Grant"] as const

const tableOf = (model: string): string => `oidc_${model.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()}`

/**
 * A table for each model, its payload as JSON, and an index for what is revoked together, as the library's examples
 * have.
 */
export const tables = [
  "CREATE TABLE clients (id text PRIMARY KEY, secret text NOT NULL)",
  ...models.flatMap((model) => [
    `CREATE TABLE ${tableOf(model)} (
    id text PRIMARY KEY,
    payload jsonb NOT NULL,
    grant_id text,
    expires_at timestamptz NOT NULL,
    consumed_at timestamptz
  ) WITH (fillfactor = 80)`,
    ...(model === "Grant" ? [] : [`CREATE INDEX ON ${tableOf(model)} (grant_id)`])
  ])
]

/** Keeps one model of `oidc-provider` in its table, with prepared statements. */
export const adapterOn = (pool: Pool) => (model: string): Adapter => {
  const table = tableOf(model)
  const run = <Row extends object>(name: string, text: string, values: Array<unknown>) =>
    pool.query<Row>({ name: `${name} ${table}`, text, values })

  const upsert = async (id: string, payload: AdapterPayload, expiresIn: number) => {
    await run(
      "upsert",
      `INSERT INTO ${table} (id, payload, grant_id, expires_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))
      ON CONFLICT (id) DO UPDATE SET payload = $2, grant_id = $3, expires_at = excluded.expires_at`,
      [id, JSON.stringify(payload), payload.grantId ?? null, expiresIn]
    )
  }

  const find = async (id: string) => {
    const { rows } = await run<{ payload: AdapterPayload; consumed: boolean }>(
      "find",
      `SELECT payload, consumed_at IS NOT NULL AS consumed FROM ${table} WHERE id = $1 AND expires_at > now()`,
      [id]
    )
    const row = rows[0]
    return row?.consumed === true ? { ...row.payload, consumed: true } : row?.payload
  }

  return {
    upsert,
    find,
    findByUid: () => Promise.reject(new Error("Sessions and interactions are not measured")),
    findByUserCode: () => Promise.reject(new Error("Device codes are not measured")),
    consume: async (id) => void await run("consume", `UPDATE ${table} SET consumed_at = now() WHERE id = $1`, [id]),
    destroy: async (id) => void await run("destroy", `DELETE FROM ${table} WHERE id = $1`, [id]),
    revokeByGrantId: async (grantId) => void await run("revoke", `DELETE FROM ${table} WHERE grant_id = $1`, [grantId])
  }
}

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"

export const sha256 = (text: string, encoding: "hex" | "base64" | "base64url" = "hex") =>
  createHash("sha256").update(text).digest(encoding)

export const jsonLines = (...records: ReadonlyArray<object>) =>
  records.map((record) => JSON.stringify(record)).join("\n")

export const unique = () => crypto.randomUUID().slice(0, 8)

/** An app of the old server. Its id and secret contain characters that ours never have. */
export const app = (owner: string, changes: object = {}) => ({
  client_id: `old/app+${unique()}`,
  owner,
  name: "Old Timer",
  redirect_uris: ["https://old.example/callback"],
  secrets: [{ secret: "s3cr+t/%2B==old-server", algorithm: "clear" }],
  ...changes
})

export const token = (text: string, user: string, changes: object = {}) => ({
  token: text,
  algorithm: "clear",
  user,
  ...changes
})

export const findings = (text: string) =>
  Effect.gen(function*() {
    const { findings } = yield* (yield* LegacyImport).inspect(text)
    return findings.map(({ kind, line, text }) => `${line} ${kind}: ${text}`)
  })

export const apply = (text: string) => Effect.flatMap(LegacyImport, (imports) => imports.apply(text, "cli"))

export const counts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT (SELECT count(*)::int FROM clients) AS clients,
    (SELECT count(*)::int FROM client_secrets) AS secrets, (SELECT count(*)::int FROM grants) AS grants,
    (SELECT count(*)::int FROM imported_refresh_tokens) AS tokens, (SELECT count(*)::int FROM audit_log) AS entries`
  return row
})

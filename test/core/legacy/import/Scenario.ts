import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { ImportOptions } from "../../../../src/core/legacy/import/ImportedClient.ts"
import { type Finding, ImportListener } from "../../../../src/core/legacy/import/ImportListener.ts"
import { LegacyImport, type Totals } from "../../../../src/core/legacy/import/LegacyImport.ts"

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

/** What an import tells: its totals, the findings, and the records that it skips. */
export const listenTo = <E, R>(
  run: Effect.Effect<Totals, E, R>,
  progress: (step: string) => Effect.Effect<void> = () => Effect.void
) =>
  Effect.gen(function*() {
    const findings: Array<Finding> = []
    const misfits: Array<string> = []
    const totals = yield* Effect.provideService(run, ImportListener, {
      progress,
      found: (finding) => Effect.sync(() => findings.push(finding)),
      skipped: (source) => Effect.sync(() => misfits.push(source))
    })
    return { ...totals, findings, misfits }
  })

export const findings = (text: string) =>
  Effect.gen(function*() {
    const { findings } = yield* listenTo((yield* LegacyImport).inspect(Stream.make(text)))
    return findings.map(({ kind, line, text }) => `${line} ${kind}: ${text}`)
  })

export const apply = (text: string, options: ImportOptions = {}) =>
  Effect.flatMap(LegacyImport, (imports) => listenTo(imports.apply(Stream.make(text), "cli", options)))

export const counts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT (SELECT count(*)::int FROM clients) AS clients,
    (SELECT count(*)::int FROM client_secrets) AS secrets, (SELECT count(*)::int FROM grants) AS grants,
    (SELECT count(*)::int FROM imported_refresh_tokens) AS tokens, (SELECT count(*)::int FROM audit_log) AS entries`
  return row
})

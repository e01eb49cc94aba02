// @effect-diagnostics strictEffectProvide:off
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import * as EmbeddedPool from "./EmbeddedPool.ts"

/** The URL of a PostgreSQL server where databases may be created; without it the suites run on PGlite. */
const serverUrl = process.env["TEST_DATABASE_URL"]

/** The suites run on a server and not on PGlite. */
export const isServer = serverUrl !== undefined

/** A new folder, which is deleted when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** The URL of a new, empty database, which is dropped when the scope closes; `undefined` if suites run on PGlite. */
export const temporaryServerUrl = Effect.suspend(() => newDatabase("template1"))

/** A migrated database on the server, made by `TemplateDatabase.ts`: to copy it takes a third of the time of the migrations. */
export const templateVariable = "TEST_TEMPLATE_DATABASE"

const newDatabase = Effect.fnUntraced(function*(template: string) {
  if (serverUrl === undefined) return undefined
  const name = `slotkey_${randomUUID().replaceAll("-", "")}`
  const administer = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
    Effect.gen(function*() {
      yield* statement(yield* SqlClient.SqlClient)
    }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(serverUrl), maxConnections: 1 })), Effect.orDie)
  yield* Effect.acquireRelease(
    administer((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`),
    () => administer((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`)
  )
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return Redacted.make(url.href)
})

/**
 * Limits that no statement meets, also on a machine that stands still for a few seconds: they count real time, whatever the
 * clock of the test says, and their passing would look like a wrong answer. Suites about the limits set their own.
 */
export const patient = { TOKEN_TIMEOUT: "1 minute", REQUEST_TIMEOUT: "5 minutes" } as const

/** The database at this URL, migrated. */
export const at = (url: string, limits: Partial<typeof patient> = {}) =>
  Database.layer.pipe(Layer.provide(AppConfig.layerTest({ ...limits, DATABASE_URL: url })))

/** A new database that nobody has migrated. */
export const layerEmpty = Layer.unwrap(Effect.gen(function*() {
  const url = yield* temporaryServerUrl
  return url === undefined
    ? Layer.tap(
      Database.layerEmbedded(yield* temporaryFolder, "memory", "untouched"),
      (context) => Effect.provide(empty, context)
    )
    : Database.layerForMigration.pipe(Layer.provide(AppConfig.layerTest({ DATABASE_URL: Redacted.value(url) })))
}))

/** Takes the schemas of the server and of its jobs out of a database. */
export const empty = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP SCHEMA public, bullmq CASCADE`
  yield* sql`CREATE SCHEMA public`
})

/** A new, migrated database: on the PostgreSQL server if there is one, else on PGlite. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const url = yield* newDatabase(process.env[templateVariable] ?? "template1")
  return url === undefined
    ? EmbeddedPool.at(yield* EmbeddedPool.folder)
    : at(Redacted.value(url), patient)
})).pipe(Layer.orDie)

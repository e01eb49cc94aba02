// @effect-diagnostics strictEffectProvide:off
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import * as DocumentedRights from "./DocumentedRights.ts"
import * as EmbeddedPool from "./EmbeddedPool.ts"

/** URL of a PostgreSQL server where databases and roles may be created; without it the suites run on PGlite. */
const serverUrl = process.env["TEST_DATABASE_URL"]

/** The suites run on a server and not on PGlite. */
export const isServer = serverUrl !== undefined

/** A new folder, which is deleted when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/**
 * URL of a new, empty database, which is dropped when the scope closes; `undefined` if suites run on PGlite. Its role
 * owns the database, as in docs/operations/install.md, and has no other right.
 */
export const temporaryServerUrl = Effect.suspend(() =>
  newDatabase((name) => ({ statements: DocumentedRights.oneRole(name), role: "servers" }))
)

/** Same, for the role that brings the schema up to date where servers have another one. */
export const temporarySchemaUrl = Effect.suspend(() =>
  newDatabase((name) => {
    const { before, within } = DocumentedRights.twoRoles(name)
    return { statements: before, within, role: "schema" }
  })
)

/**
 * A migrated database on the server, made by `TemplateDatabase.ts`: to copy it takes a third of the time of the
 * migrations.
 */
export const templateVariable = "TEST_TEMPLATE_DATABASE"

/** A copy of that, for a role that may make and change no table. Rights on a database are not copied with it. */
const copiedUrl = Effect.suspend(() =>
  newDatabase((name) => ({
    statements: DocumentedRights.twoRoles(name).before.map((statement) =>
      statement.startsWith("CREATE DATABASE") ? `${statement} TEMPLATE ${process.env[templateVariable]}` : statement
    ),
    role: "servers"
  }))
)

const newDatabase = Effect.fnUntraced(function*(
  rights: (name: string) => {
    readonly statements: ReadonlyArray<string>
    readonly within?: ReadonlyArray<string>
    readonly role: DocumentedRights.Role
  }
) {
  if (serverUrl === undefined) return undefined
  const name = `slotkey_${randomUUID().replaceAll("-", "")}`
  const { role, statements, within = [] } = rights(name)
  yield* Effect.acquireRelease(
    administer(serverUrl, statements),
    () => administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`])
  )
  const url = addressOf(serverUrl, name)
  yield* administer(url, within)
  return Redacted.make(DocumentedRights.addressFor(role, url))
})

const addressOf = (server: string, database: string) =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href

/** Runs statements as the administrator. Roles belong to the server, so another run may have made them. */
const administer = (url: string, statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      for (const statement of statements) {
        const isThere = (error: unknown) =>
          statement.startsWith("CREATE ROLE") && error instanceof pg.DatabaseError &&
          (error.code === "42710" || error.code === "23505")
        await client.query(statement).catch((error: unknown) => isThere(error) ? undefined : Promise.reject(error))
      }
    } finally {
      await client.end()
    }
  })

/**
 * Limits that no statement meets, also on a machine that stands still for a few seconds: they count real time, whatever
 * the clock of the test says, and their passing would look like a wrong answer. Suites about the limits set their own.
 */
export const patient = { TOKEN_TIMEOUT: "1 minute", REQUEST_TIMEOUT: "5 minutes" } as const

/** Database at this URL, migrated. */
export const at = (url: string, limits: Partial<typeof patient> = {}) =>
  Database.layer.pipe(Layer.provide(AppConfig.layerTest({ ...limits, DATABASE_URL: url })))

/**
 * Does something as the role that owns the tables, or as a superuser, in the same database: the role of the suites has
 * the rights of a server alone, which changes no table.
 */
export const as = <A, E, R>(role: "owner" | "superuser", act: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    if (serverUrl === undefined) return yield* act(sql)
    const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
    const superuser = addressOf(serverUrl, row?.name ?? "")
    const url = role === "owner" ? DocumentedRights.addressFor("schema", superuser) : superuser
    return yield* Effect.provide(Effect.flatMap(SqlClient.SqlClient, act), at(url, patient), { local: true })
  })

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
  const url = yield* copiedUrl
  return url === undefined
    ? EmbeddedPool.at(yield* EmbeddedPool.folder)
    : at(Redacted.value(url), patient)
})).pipe(Layer.orDie)

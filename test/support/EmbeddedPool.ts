// @effect-diagnostics strictEffectProvide:off
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import * as Embedded from "../../src/foundation/database/embedded/Embedded.ts"

// Databases in memory that the files of a worker use one after the other, because to start one takes ten times as long
// as to empty it. One is emptied before its next use, when nobody has a connection to it any more. One that cannot be
// made as new, as a test has changed its schema, is given up.

/** Folder where databases are made (`TemplateDatabase.ts`): a worker is killed, and cannot delete its own. */
export const folderVariable = "TEST_FOLDER"

/** Data folder of an empty, migrated database in memory, which commands and servers may join until the scope closes. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.suspend(() => {
  const parent = process.env[folderVariable]
  // A program ends when it has closed what it opened, and has one database only.
  if (parent === undefined) return openIn(tmpdir())
  return Effect.map(
    Effect.acquireRelease(take(parent), (pooled) => Effect.sync(() => void free.push(pooled))),
    ({ folder }) => folder
  )
})

/** Database that runs in this folder. */
export const at = (folder: string) => Layer.orDie(Layer.provide(Database.layerBeside, settings(folder)))

const settings = (folder: string) => AppConfig.layerTest({ DATA_DIR: folder })

interface Pooled {
  readonly folder: string
  /** Files that belong to the database. */
  readonly files: ReadonlySet<string>
  readonly schema: string
  readonly scope: Scope.Closeable
}

const free: Array<Pooled> = []

const take = (parent: string): Effect.Effect<Pooled> =>
  Effect.suspend(() => {
    const pooled = free.pop()
    return pooled === undefined ? open(parent) : Effect.flatMap(emptied(pooled), (isAsNew) => {
      if (isAsNew) return Effect.succeed(pooled)
      return Effect.andThen(Effect.forkDetach(Scope.close(pooled.scope, Exit.void)), take(parent))
    })
  })

const open = Effect.fnUntraced(function*(parent: string) {
  const scope = Scope.makeUnsafe()
  const folder = yield* Scope.provide(openIn(parent), scope)
  const schema = yield* Effect.orDie(once(folder, describe))
  return { folder, files: new Set(readdirSync(folder)), schema, scope } satisfies Pooled
})

const openIn = Effect.fnUntraced(function*(parent: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(parent, "db-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  yield* Embedded.serve(folder, "memory")
  yield* Effect.scoped(Layer.build(at(folder)))
  return folder
}, Effect.orDie)

const emptied = ({ files, folder, schema }: Pooled) =>
  Effect.sync(() => {
    for (const file of readdirSync(folder)) if (!files.has(file)) rmSync(join(folder, file), { recursive: true })
  }).pipe(
    Effect.andThen(once(folder, Effect.andThen(empty, describe))),
    Effect.matchCause({ onSuccess: (found) => found === schema, onFailure: () => false })
  )

/** Uses it as it is, whatever has become of it. */
const once = <A, E>(folder: string, use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(use, Layer.provide(Database.layerForMigration, settings(folder)), { local: true })

const empty = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  // All connections share one session, and it outlives them.
  yield* sql`DISCARD ALL`
  yield* sql`SET search_path = public, bullmq`
  yield* sql`DO $$ DECLARE filled regclass; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR filled IN SELECT oid FROM pg_class
      WHERE relnamespace IN ('public'::regnamespace, 'bullmq'::regnamespace) AND relkind = 'r'
        AND relname NOT IN ('slotkey_migrations', 'migration') AND pg_relation_size(oid) > 0
    LOOP EXECUTE format('DELETE FROM %s', filled); END LOOP;
    PERFORM setval(oid, 1, false) FROM pg_class WHERE relkind = 'S';
  END $$`
})

/**
 * What stays when it is emptied: the catalog, of which each change is a new row, the migrations that it has had, and
 * the room that many rows took.
 */
const describe = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const contents = catalog.map((table) => `SELECT count(*)::text, max(xmin::text::bigint)::text FROM ${table}`)
  const large = "SELECT count(*)::text, NULL FROM pg_class WHERE pg_relation_size(oid) > 2000000"
  return JSON.stringify(yield* sql.unsafe([...contents, large].join(" UNION ALL ")).values)
})

const catalog = [
  "pg_attrdef",
  "pg_attribute",
  "pg_authid",
  "pg_class",
  "pg_constraint",
  "pg_db_role_setting",
  "pg_index",
  "pg_namespace",
  "pg_proc",
  "pg_statistic",
  "pg_trigger",
  "slotkey_migrations",
  "bullmq.migration"
]

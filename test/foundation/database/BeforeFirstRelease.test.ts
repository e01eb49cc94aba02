// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as DatabaseSchema from "../../../src/foundation/database/DatabaseSchema.ts"
import * as IndexBuilder from "../../../src/foundation/database/IndexBuilder.ts"
import { commitBefore } from "../../../src/foundation/database/migrations/index.ts"
import * as Catalogue from "../../support/Catalogue.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** What pg_dump said of a database that the steps before the first release had made, without settings and comments. */
const dump = readFileSync(join(import.meta.dirname, "BeforeFirstRelease.sql"), "utf8").split(/;\n(?=[A-Z]|$)/)

const inEmptyDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, TestDatabase.layerEmpty, { local: true })

/** Makes a database that has had all steps before the first release, up to this one. */
const restored = Effect.fnUntraced(function*(version: number) {
  const sql = yield* SqlClient.SqlClient
  for (const statement of dump) if (statement.trim() !== "") yield* sql.unsafe(statement)
  yield* sql`INSERT INTO slotkey_migrations (migration_id, name, compatible_from)
    SELECT step, 'step', CASE WHEN step = 10 THEN 5 END FROM generate_series(1, ${version}::int) AS step`
})

const migrate = Effect.andThen(
  DatabaseSchema.migrate,
  IndexBuilder.build(TestDatabase.isServer ? "server" : "embedded")
)

const steps = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT migration_id, name, compatible_from FROM slotkey_migrations ORDER BY migration_id`
)

const app = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`INSERT INTO clients
    (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes, submitted_at, created_at, updated_at)
    VALUES ('app', 'owner', 'public', 'approved', 'App', 'Tests', 'https://app.test', '{https://app.test/callback}',
      '{BOOKING_READ}', now(), now(), now())`)

const gaps = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT reason FROM usage_gaps`)

describe("A database from before the first release", () => {
  it.live("that had all steps is taken as it stands, and the steps after the baseline make it equal a new one", () =>
    Effect.gen(function*() {
      const found = yield* inEmptyDatabase(Effect.gen(function*() {
        yield* restored(33)
        const before = yield* steps
        yield* app
        yield* Effect.all([migrate, DatabaseSchema.check])
        assert.deepStrictEqual((yield* steps).slice(0, before.length), before)
        // The servers that it had counted no calls; a new database had none.
        assert.deepStrictEqual(yield* gaps, [{ reason: "before" }])
        return yield* Catalogue.read
      }))
      const made = yield* inEmptyDatabase(Effect.gen(function*() {
        yield* migrate
        assert.deepStrictEqual(yield* gaps, [])
        return yield* Catalogue.read
      }))
      assert.deepStrictEqual(made, found)
      assert.isAbove(made.length, 300)
    }))

  it.live("takes, once it has the steps after the baseline, what servers of before write beside it", () =>
    inEmptyDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* migrate
      const count = sql`INSERT INTO sign_in_failures AS f (subject, count, window_ends_at) VALUES ('address', 1, now())
        ON CONFLICT (subject) DO UPDATE SET count = f.count + 1 RETURNING count`
      assert.deepStrictEqual(yield* Effect.andThen(count, count), [{ count: 2 }])
      assert.deepStrictEqual(yield* sql`SELECT count FROM rate_limits`, [{ count: 2 }])
      yield* app
      yield* sql`INSERT INTO rejections (client_id, at, endpoint, error, reason, times)
        SELECT 'app', now(), 'token', 'invalid_grant', 'the code has expired', 1`
      assert.lengthOf(yield* sql`SELECT 1 FROM refused_requests`, 1)
    })))

  it.live("that is older is refused, with the commit to go through, and stays as it is", () =>
    inEmptyDatabase(Effect.gen(function*() {
      yield* restored(32)
      const before = [yield* Catalogue.read, yield* steps]
      for (const look of [DatabaseSchema.status, DatabaseSchema.check, DatabaseSchema.migrate]) {
        const { message } = yield* Effect.flip(Effect.asVoid(look))
        assert.strictEqual(
          message,
          "The database is from before the first release (version 32 of the schema, which began with 33): run slotkey " +
            `migrate up with the code of commit ${commitBefore} first, then start this one`
        )
      }
      assert.deepStrictEqual([yield* Catalogue.read, yield* steps], before)
    })))
})

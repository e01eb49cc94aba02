// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as DatabaseSchema from "../../../src/foundation/database/DatabaseSchema.ts"
import { commitBefore, contracts, migrations } from "../../../src/foundation/database/migrations/index.ts"
import * as SchemaSteps from "../../../src/foundation/database/SchemaSteps.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0044"))

const [made, observed, decided] = ["2026-01-01 00:00:00.123", "2026-01-02", "2026-01-03"]

/** An app as a server of the release before wrote it. */
const app = Effect.fnUntraced(function*(id: string, reviewedAt: string, legacy: boolean, decidedBy?: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at, reviewed_at, observed_since)
    VALUES (${id}, 'owner', 'public', ${legacy}, 'approved', 'App', 'Tests', 'https://app.test',
      '{https://app.test/callback}', '{BOOKING_READ}', ${made}::text::timestamptz, ${made}::text::timestamptz, now(),
      ${reviewedAt}::text::timestamptz, ${observed}::text::timestamptz)`
  if (decidedBy === undefined) return
  yield* sql`INSERT INTO audit_log (at, actor, action, client_id, details)
    VALUES (now(), ${decidedBy}, 'client.approved', ${id}, '{}')`
})

it.live("An upgrade takes the day of their review from apps that came approved, and leaves that of all others", () =>
  Effect.provide(
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* SchemaSteps.make({ migrations: before, contracts, commitBefore }).migrate
      yield* app("imported", observed, true)
      yield* app("demo", made, false, "slotkey")
      yield* app("reviewed", decided, false)
      yield* app("imported and reviewed", decided, true)
      yield* app("reviewed at once", made, false, "user_1")
      yield* DatabaseSchema.migrate
      const rows = yield* sql<{ id: string }>`SELECT id FROM clients WHERE reviewed_at IS NULL ORDER BY id`
      assert.deepStrictEqual(rows.map(({ id }) => id), ["demo", "imported"])
    }),
    TestDatabase.layerEmpty,
    { local: true }
  ))

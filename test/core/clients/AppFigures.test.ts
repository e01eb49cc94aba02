import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { appFigures } from "../../../src/core/clients/AppFigures.ts"
import { mostCounted } from "../../../src/core/grants/Usage.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { clientId, otherClientId as other, seed } from "../tokens/Fixture.ts"

/** Grants of as many users, given now. */
const insert = Effect.fnUntraced(function*(count: number, more: { imported?: boolean; end?: boolean; user?: string }) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`INSERT INTO grants
      (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at, revoked_at, imported_rotates)
    SELECT gen_random_uuid(), '', ${clientId}, coalesce(${more.user ?? null}::text, gen_random_uuid()::text), '{}',
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz + interval '1 year',
      ${more.end === true ? now : null}::timestamptz, ${more.imported ?? null}::boolean
    FROM generate_series(1, ${count}::int)`
})

layer(TestDatabase.layer.pipe(Layer.provideMerge(AppConfig.layerTest())))("the figures of an app", (it) => {
  it.effect("are users, the last use, what was refused in a week and an open question, of each app by itself", () =>
    Effect.gen(function*() {
      yield* seed
      const sql = yield* SqlClient.SqlClient
      const figuresOf = yield* appFigures
      const figures = Effect.map(figuresOf([clientId, other]), (of) => of(clientId))
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const unused = yield* figures
      assert.deepInclude(unused, { users: 0, isComplete: true, hasTokens: false, lastUsedAt: null, refused: 0 })

      yield* insert(2, { end: true })
      yield* insert(1, { imported: true })
      assert.deepInclude(yield* figures, { users: 1, hasTokens: false, lastUsedAt: null })
      yield* insert(2, { user: "several" })
      const given = yield* DateTime.now
      assert.deepInclude(yield* figures, { users: 2, hasTokens: true, lastUsedAt: given })

      yield* TestClock.adjust("1 day")
      const used = yield* DateTime.now
      yield* sql`UPDATE client_secrets SET last_used_at = ${DateTime.toDateUtc(used)} WHERE client_id = ${clientId}`
      const refuse = Effect.fnUntraced(function*(times: number) {
        yield* sql`INSERT INTO refused_requests (client_id, at, endpoint, error, reason, times)
          VALUES (${clientId}, ${yield* now}, 'token', 'invalid_client', 'wrong secret', ${times})`
      })
      yield* refuse(2_000_000_000)
      yield* refuse(2_000_000_000)
      assert.strictEqual((yield* figures).refused, 4_000_000_000)
      yield* TestClock.adjust("7 days")
      yield* refuse(3)
      yield* sql`INSERT INTO review_questions (client_id, asked_at) VALUES (${clientId}, ${yield* now})`
      const later = yield* figures
      assert.deepInclude(later, { refused: 3, isAsked: true, lastUsedAt: later.secretUsedAt })
      assert.strictEqual((yield* figuresOf([other]))(other).users, 0)
    }))

  it.effect("stop to count where nobody needs the exact number, however many grants the app has", () =>
    Effect.gen(function*() {
      yield* (yield* SqlClient.SqlClient)`DELETE FROM grants`
      const figuresOf = yield* appFigures
      const figures = Effect.map(figuresOf([clientId]), (of) => of(clientId))
      yield* insert(mostCounted, {})
      assert.deepInclude(yield* figures, { users: mostCounted, isComplete: true })
      yield* insert(1_000, {})
      assert.deepInclude(yield* figures, { users: mostCounted + 1, isComplete: false, hasTokens: true })
    }))
})

import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as LiveGrants from "../../../src/core/grants/LiveGrants.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { clientId, seed } from "../tokens/Fixture.ts"

/** Inserts grants of which four fill a page, so that few of them are more pages than a sample has. */
const insert = Effect.fnUntraced(
  function*(count: number, end: { readonly revoked?: boolean; readonly idle?: boolean }) {
    const sql = yield* SqlClient.SqlClient
    const now = yield* DateTime.now
    const rotatedAt = end.idle === true ? DateTime.subtract(now, { days: 400 }) : now
    yield* sql`
    INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at, revoked_at)
    SELECT gen_random_uuid(), '', ${clientId}, n::text, ARRAY[repeat('x', 1500)],
      ${DateTime.toDateUtc(rotatedAt)}::timestamptz, ${DateTime.toDateUtc(rotatedAt)}::timestamptz,
      ${DateTime.toDateUtc(DateTime.add(now, { days: 1000 }))}::timestamptz,
      ${end.revoked === true ? DateTime.toDateUtc(now) : null}::timestamptz
    FROM generate_series(1, ${count}::int) AS n`
  }
)

layer(TestDatabase.layer.pipe(Layer.provideMerge(AppConfig.layerTest())))((it) => {
  describe("the estimate of live grants", () => {
    it.effect("is exact for a small table, and leaves out those that have ended", () =>
      Effect.gen(function*() {
        yield* seed
        assert.strictEqual(yield* LiveGrants.estimate, 0)
        yield* insert(30, {})
        yield* insert(5, { revoked: true })
        yield* insert(6, { idle: true })
        assert.strictEqual(yield* LiveGrants.estimate, 30)
      }))

    it.effect("is near the truth for a table that is larger than the sample", () =>
      Effect.gen(function*() {
        yield* seed
        const sql = yield* SqlClient.SqlClient
        yield* insert(4000, {})
        yield* insert(4000, { revoked: true })
        const [table] = yield* sql<{ pages: number }>`SELECT (pg_relation_size('grants') / 8192)::int AS pages`
        assert.isAbove(table?.pages ?? 0, 1500)
        // Ten standard errors.
        assert.closeTo(yield* LiveGrants.estimate, 4030, 1300)
      }))
  })
})

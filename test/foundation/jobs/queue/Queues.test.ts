import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { layerOn } from "../../../support/TestJobs.ts"

layer(layerOn("postgres"), { excludeTestServices: true })("Queues in the database", (it) => {
  const tables = (schema: string) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema}`
      return rows.map(({ name }) => name)
    })

  it.effect("keep to a schema of their own whose tables we do not hide", () =>
    Effect.gen(function*() {
      const theirs = yield* tables("bullmq")
      assert.include(theirs, "job")
      assert.deepStrictEqual((yield* tables("public")).filter((name) => theirs.includes(name)), [])
    }))

  it.effect("leave our own session as it was, transactions beside them included", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const queues = yield* Queues
      const queue = yield* queues.queue("session")
      const path = sql<{ searchPath: string }>`SHOW search_path`
      const before = yield* path
      yield* Effect.all([
        Effect.forEach(Array.from({ length: 30 }), () =>
          Effect.promise(() => queue.add("session", { subject: "s", at: null, payload: {} })), { concurrency: 10 }),
        Effect.forEach(
          Array.from({ length: 30 }, (_, i) =>
            `s${i}`),
          (subject) =>
            sql.withTransaction(Effect.gen(function*() {
              yield* sql`INSERT INTO rate_limits (subject, count, window_ends_at) VALUES (${subject}, 1, now())`
              yield* sql`UPDATE rate_limits SET count = count + 1 WHERE subject = ${subject}`
            })),
          { concurrency: 4 }
        )
      ], { concurrency: 2 })
      assert.deepStrictEqual(yield* path, before)
      const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM rate_limits WHERE count = 2`
      assert.strictEqual(row?.n, 30)
      assert.strictEqual(
        yield* Effect.promise(() =>
          queue.getWaitingCount()
        ),
        30
      )
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../../support/TestDatabase.ts"

layer(TestDatabase.layer)("The pool of a database, under the clock of a test", (it) => {
  it.effect("goes on connecting when the clock is set forward", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const statement = sql<{ n: number }>`SELECT 1 AS n`
      // Idle connections are closed meanwhile.
      yield* TestClock.adjust("1 hour")
      // There are no more connections than were needed so far, so these have to be opened.
      const answers = yield* Effect.forkChild(
        Effect.all(Array.from({ length: 8 }, () => statement), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Fiber.join(answers)).length, 8)
    }))
})

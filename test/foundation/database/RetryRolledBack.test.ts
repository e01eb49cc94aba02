import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlError } from "effect/sql"
import { retryRolledBack } from "../../../src/foundation/database/RetryRolledBack.ts"

const failure = (reason: SqlError.SqlError["reason"]) => new SqlError.SqlError({ reason })
const deadlock = failure(new SqlError.DeadlockError({ cause: new Error("deadlock detected") }))
const away = failure(new SqlError.ConnectionError({ cause: new Error("connection refused") }))

describe("A statement", () => {
  it.effect("is tried again if the database rolled it back, and not after another failure", () =>
    Effect.gen(function*() {
      let attempts = 0
      const failingAtFirst = (error: SqlError.SqlError) =>
        Effect.suspend(() => attempts++ % 2 === 0 ? Effect.fail(error) : Effect.succeed(attempts))
      assert.strictEqual(yield* retryRolledBack(failingAtFirst(deadlock)), 2)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(retryRolledBack(failingAtFirst(away)))))
      assert.strictEqual(attempts, 3)
    }))
})

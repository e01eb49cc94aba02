import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { askAgain, retryRolledBack } from "../../../src/foundation/database/RetryRolledBack.ts"

const failure = (reason: SqlError.SqlError["reason"]) => new SqlError.SqlError({ reason })
const deadlock = failure(new SqlError.DeadlockError({ cause: new Error("deadlock detected") }))
const away = failure(new SqlError.ConnectionError({ cause: new Error("connection refused") }))

const lost = failure(new SqlError.ConnectionError({ cause: new Error("read ECONNRESET"), operation: "query" }))

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

  it.effect("is asked for again until the database answers, if its connection was lost in the midst of it", () =>
    Effect.gen(function*() {
      const failures = [lost, lost, away]
      const statement = Effect.suspend(() => {
        const failure = failures.shift()
        return failure === undefined ? Effect.succeed("an answer") : Effect.die(failure)
      })
      const asked = yield* Effect.forkChild(askAgain(statement))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(asked), "an answer")
      assert.isTrue(Exit.hasDies(yield* Effect.exit(askAgain(Effect.die(away)))))
    }))
})

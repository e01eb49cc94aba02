// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { SignIn } from "../../../../src/core/accounts/people/SignIn.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { blockedOrDone } from "../../../support/BlockedOrDone.ts"
import { password, Services } from "../Scenario.ts"

/** Shuts out those who know the old password, and then runs `meanwhile` before it commits. */
type ShutOut = (
  user: UserId,
  meanwhile: Effect.Effect<void>
) => Effect.Effect<unknown, unknown, Accounts | ManagedAccounts | Sessions | SqlClient.SqlClient>

const changes: ReadonlyArray<{ readonly name: string; readonly shutOut: ShutOut }> = [
  {
    name: "a change of password",
    shutOut: Effect.fnUntraced(function*(user, meanwhile) {
      const sessions = yield* Sessions
      const replacement = Redacted.make("another long password")
      yield* (yield* Accounts).setPassword(user, replacement, user, Effect.andThen(sessions.endAll(user), meanwhile))
    })
  },
  {
    name: "a deactivation",
    shutOut: Effect.fnUntraced(function*(user, meanwhile) {
      const sql = yield* SqlClient.SqlClient
      yield* (yield* ManagedAccounts).setDisabled(user, true, "cli").pipe(
        Effect.andThen((yield* Sessions).endAll(user)),
        Effect.andThen(meanwhile),
        sql.withTransaction
      )
    })
  }
]

const newAccount = Effect.gen(function*() {
  return yield* (yield* Accounts).create({ email: `${randomUUID()}@example.test`, name: "Ann", password })
})

const sessionsOf = Effect.fnUntraced(function*(user: UserId) {
  return (yield* (yield* SqlClient.SqlClient)`SELECT 1 FROM sessions WHERE user_id = ${user}`).length
})

// PGlite runs one transaction after the other, so nothing can be concurrent there.
const isEmbedded = process.env["TEST_DATABASE_URL"] === undefined

layer(Services)("A sign-in with the old password", (it) => {
  for (const { name, shutOut } of changes) {
    it.effect.skipIf(isEmbedded)(
      `is refused when ${name} has begun before its last look`,
      () =>
        Effect.gen(function*() {
          const { email, id } = yield* newAccount
          const [changed, decided] = [yield* Latch.make(), yield* Latch.make()]
          const changing = yield* Effect.forkChild(shutOut(id, Effect.andThen(changed.open, decided.await)))
          yield* changed.await
          const attempt = (yield* SignIn).start({ email, password, address: "192.0.2.1" })
          const signingIn = yield* Effect.forkChild(Effect.flip(attempt))
          yield* blockedOrDone(signingIn)
          yield* decided.open
          yield* Fiber.join(changing)
          assert.strictEqual((yield* Fiber.join(signingIn))._tag, "WrongCredentials")
          assert.strictEqual(yield* sessionsOf(id), 0)
        })
    )

    it.effect.skipIf(isEmbedded)(
      `leaves no session when ${name} begins after its last look`,
      () =>
        Effect.gen(function*() {
          const { email, id } = yield* newAccount
          const sessions = yield* Sessions
          const [looked, decided] = [yield* Latch.make(), yield* Latch.make()]
          const start = (user: UserId) =>
            looked.open.pipe(Effect.andThen(decided.await), Effect.andThen(sessions.start(user)))
          const slow = Layer.fresh(SignIn.layer).pipe(Layer.provide(Layer.succeed(Sessions, { ...sessions, start })))
          const attempt = Effect.flatMap(SignIn, (signIn) => signIn.start({ email, password, address: "192.0.2.1" }))
          const signingIn = yield* Effect.forkChild(Effect.provide(attempt, slow))
          yield* looked.await
          const changing = yield* Effect.forkChild(shutOut(id, Effect.void))
          yield* blockedOrDone(changing)
          yield* decided.open
          yield* Effect.all([Fiber.join(signingIn), Fiber.join(changing)])
          assert.strictEqual(yield* sessionsOf(id), 0)
        })
    )
  }
})

// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { PasswordResets } from "../../../src/core/accounts/local/PasswordResets.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { PasswordResetPages } from "../../../src/doors/account/PasswordResetPages.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { blockedOrDone } from "../../support/BlockedOrDone.ts"
import { browse, Services } from "./Scenario.ts"

// PGlite runs one transaction after the other, so nothing can be concurrent there.
const isEmbedded = process.env["TEST_DATABASE_URL"] === undefined

/** Pages, whose sessions begin when the test says so. */
const slowPages = Effect.fnUntraced(function*(before: Effect.Effect<void>) {
  const sessions = yield* Sessions
  const start: typeof sessions.start = (user, origin) => Effect.andThen(before, sessions.start(user, origin))
  return Layer.mergeAll(PasswordResetPages, ErrorBoundary).pipe(
    Layer.provide(HttpServer.layerServices),
    Layer.provide(Layer.succeed(Sessions, { ...sessions, start }))
  )
})

const disable = Effect.fnUntraced(function*(user: UserId) {
  const sql = yield* SqlClient.SqlClient
  yield* (yield* ManagedAccounts).setDisabled(user, true, "cli").pipe(
    Effect.andThen((yield* Sessions).endAll(user)),
    sql.withTransaction
  )
})

layer(Services)("A session that begins with a mailed link", (it) => {
  it.effect.skipIf(isEmbedded)("does not outlive a deactivation at the same moment", () =>
    Effect.gen(function*() {
      const { email, id } = yield* (yield* Accounts).create({ email: "rosa@example.test", name: "Rosa", password })
      const { url } = Option.getOrThrow(yield* (yield* PasswordResets).prepare(email, "job"))
      const token = new URL(Redacted.value(url)).searchParams.get("token") ?? ""
      const [begins, decided] = [yield* Latch.make(), yield* Latch.make()]
      const { post } = yield* browse(yield* slowPages(Effect.andThen(begins.open, decided.await)))
      const another = "a quite different sentence"
      const changing = yield* Effect.forkChild(post("/reset-password", { token, password: another, repeated: another }))
      yield* begins.await
      const disabling = yield* Effect.forkChild(disable(id))
      yield* blockedOrDone(disabling)
      yield* decided.open
      yield* Effect.all([Fiber.join(changing), Fiber.join(disabling)])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM sessions WHERE user_id = ${id}`, [])
    }))
})

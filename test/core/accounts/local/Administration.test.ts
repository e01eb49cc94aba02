import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { Administration } from "../../../../src/core/accounts/local/Administration.ts"
import { MailedLinks } from "../../../../src/core/accounts/local/MailedLinks.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { newAccount, Services } from "../../../doors/consent/Scenario.ts"
import { waitingForLocks } from "../../../support/BlockedOrDone.ts"
import { isServer } from "../../../support/TestDatabase.ts"

const All = Administration.layer.pipe(
  Layer.provide([ApiKeys.layer, MailedLinks.layer]),
  Layer.provideMerge(Layer.merge(Accounts.layer, ManagedAccounts.layer)),
  Layer.provideMerge(Services)
)

const trail = Effect.fnUntraced(function*(userId: UserId) {
  const entries = yield* (yield* AuditLog).list({ userId })
  return entries.map(({ action, actor }) => ({ action, actor }))
})

/** Two administrators, and no others. */
const twoAdministrators = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE accounts SET role = 'user' WHERE role = 'admin'`
  return [yield* newAccount("one", "admin"), yield* newAccount("two", "admin")] as const
})

/**
 * Holds the row of an account from the moment that it is free; the first answer waits for that, the second lets go of
 * it.
 */
const hold = Effect.fnUntraced(function*(account: UserId, change: "FOR UPDATE" | "demoted") {
  const sql = yield* SqlClient.SqlClient
  const [held, free] = [yield* Latch.make(), yield* Latch.make()]
  const take = change === "demoted"
    ? sql`UPDATE accounts SET role = 'user' WHERE id = ${account}`
    : sql`SELECT 1 FROM accounts WHERE id = ${account} FOR UPDATE`
  const holding = yield* take.pipe(
    Effect.andThen(held.open),
    Effect.andThen(free.await),
    sql.withTransaction,
    Effect.forkChild
  )
  return { held: held.await, release: Effect.andThen(free.open, Fiber.join(holding)) }
})

layer(All)("Administration", (it) => {
  it.effect("changes role and access together, and tells the trail who did it", () =>
    Effect.gen(function*() {
      const administration = yield* Administration
      const sessions = yield* Sessions
      const [admin] = yield* twoAdministrators
      const user = yield* newAccount("user")
      const token = Redacted.value(yield* sessions.start(user))
      const changed = yield* administration.change(user, { role: "reviewer", disabled: true }, admin)
      assert.deepInclude(changed, { id: user, role: "reviewer", disabled: true })
      assert.isTrue(Option.isNone(yield* sessions.find(token)))
      assert.isTrue(Option.isNone(yield* (yield* IdentitySource).find(user)))
      const enabled = yield* administration.change(user, { disabled: false }, admin)
      assert.deepInclude(enabled, { role: "reviewer", disabled: false })
      assert.deepStrictEqual(yield* trail(user), [
        { action: "account.enabled", actor: admin },
        { action: "session.ended", actor: admin },
        { action: "account.disabled", actor: admin },
        { action: "account.role_changed", actor: admin },
        { action: "session.started", actor: user }
      ])
    }))

  it.effect("notes nothing that was so before", () =>
    Effect.gen(function*() {
      const administration = yield* Administration
      const [admin] = yield* twoAdministrators
      const user = yield* newAccount("user")
      yield* administration.change(user, { role: "user", disabled: false }, admin)
      yield* administration.change(user, {}, admin)
      assert.deepStrictEqual(yield* trail(user), [])
    }))

  it.effect("changes nothing if a part of it is refused, and knows no account that does not exist", () =>
    Effect.gen(function*() {
      const administration = yield* Administration
      const accounts = yield* ManagedAccounts
      const [one, two] = yield* twoAdministrators
      yield* administration.change(two, { disabled: true }, one)
      // The other one is enabled again in vain: the role of the last administrator cannot change.
      const refused = yield* Effect.flip(administration.change(one, { role: "reviewer", disabled: true }, one))
      assert.strictEqual(refused.code, "last_administrator")
      assert.deepInclude(yield* accounts.get(one), { role: "admin", disabled: false })
      for (const id of ["nobody", "\0"]) {
        const unknown = yield* Effect.flip(administration.change(id as UserId, { role: "admin" }, one))
        assert.strictEqual(unknown.code, "account_not_found")
      }
    }))

  it.effect("leaves an administrator when two demote or disable each other at the same moment", () =>
    Effect.gen(function*() {
      const administration = yield* Administration
      const accounts = yield* Accounts
      for (const change of [{ role: "reviewer" }, { disabled: true }] as const) {
        const [one, two] = yield* twoAdministrators
        const results = yield* Effect.all(
          [administration.change(one, change, two), administration.change(two, { role: "user" }, one)].map(
            Effect.result
          ),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(results.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
        assert.isTrue(yield* accounts.hasAdmin)
      }
    }))

  it.effect.skipIf(!isServer)(
    "changes somebody who is no administrator any more beside a change that saw one",
    () =>
      Effect.gen(function*() {
        const administration = yield* Administration
        const sql = yield* SqlClient.SqlClient
        yield* twoAdministrators
        yield* newAccount("three", "admin")
        const admins = yield* sql<{ id: UserId }>`SELECT id FROM accounts WHERE role = 'admin' ORDER BY id`
        const [first, second, third] = admins.map(({ id }) => id) as [UserId, UserId, UserId]

        const demotion = yield* hold(first, "demoted")
        yield* demotion.held
        const next = yield* hold(first, "FOR UPDATE")
        yield* waitingForLocks(1)
        // It sees the first as an administrator still, and waits for that row.
        const demoting = yield* Effect.forkChild(administration.change(second, { role: "user" }, third))
        yield* waitingForLocks(2)
        const last = yield* hold(third, "FOR UPDATE")
        yield* last.held
        yield* demotion.release
        yield* next.held
        // It sees that the first is none.
        const disabling = yield* Effect.forkChild(administration.change(first, { disabled: true }, third))
        yield* waitingForLocks(2)
        yield* next.release
        yield* last.release
        assert.deepInclude(yield* Fiber.join(demoting), { role: "user", disabled: false })
        assert.deepInclude(yield* Fiber.join(disabling), { role: "user", disabled: true })
      })
  )
})

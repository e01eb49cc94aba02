import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/Accounts.ts"
import { Administration } from "../../../src/core/accounts/Administration.ts"
import { Deactivation } from "../../../src/core/accounts/Deactivation.ts"
import { IdentitySource } from "../../../src/core/accounts/IdentitySource.ts"
import { MailedLinks } from "../../../src/core/accounts/MailedLinks.ts"
import { Sessions } from "../../../src/core/accounts/Sessions.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { newAccount, Services } from "../../doors/consent/Scenario.ts"

const All = Administration.layer.pipe(
  Layer.provide(Deactivation.layer),
  Layer.provide(MailedLinks.layer),
  Layer.provideMerge(Accounts.layer),
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
        { action: "account.disabled", actor: admin },
        { action: "account.role_changed", actor: admin }
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
      const accounts = yield* Accounts
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
})

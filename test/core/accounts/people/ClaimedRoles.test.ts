import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LinkedAccounts } from "../../../../src/core/accounts/linked/LinkedAccounts.ts"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { Invitations } from "../../../../src/core/accounts/local/Invitations.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import type { Role } from "../../../../src/core/accounts/people/Account.ts"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { ClaimedRoles } from "../../../../src/core/accounts/people/ClaimedRoles.ts"
import type { ExternalIdentity } from "../../../../src/core/accounts/people/ExternalIdentity.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { password, Services } from "../Scenario.ts"

/** A user at whose sign-ins the provider says something about roles. */
const user = Effect.gen(function*() {
  const linked = yield* LinkedAccounts
  const identities = yield* IdentitySource
  const sql = yield* SqlClient.SqlClient
  const identity = { issuer: "https://id.platform.test", subject: crypto.randomUUID(), profile: { name: "Ada" } }
  const signIn = (roles: ExternalIdentity["roles"]) => linked.signIn({ ...identity, roles })
  const { id } = yield* signIn({})
  return {
    id,
    signIn,
    put: (role: Role) =>
      linked.put({ ...identity, roles: { administrator: role === "admin", reviewer: role === "reviewer" } }, "petra"),
    role: Effect.map(identities.find(id), (found) => Option.getOrThrow(found).role),
    until: Effect.map(
      sql<{ roleUntil: Date | null }>`SELECT role_until FROM accounts WHERE id = ${id}`,
      ([row]) => row?.roleUntil ?? null
    )
  }
})

layer(Services)("A role by a claim", (it) => {
  it.effect("is the higher of two, and keeps its time where the settings do not speak of it any more", () =>
    Effect.gen(function*() {
      const { role, signIn } = yield* user
      yield* signIn({ administrator: true, reviewer: true })
      yield* TestClock.adjust("12 hours")
      yield* signIn({})
      assert.strictEqual(yield* role, "admin")
      yield* TestClock.adjust("12 hours")
      assert.strictEqual(yield* role, "user")
      yield* signIn({ reviewer: true })
      assert.strictEqual(yield* role, "reviewer")
      yield* signIn({ administrator: false })
      assert.strictEqual(yield* role, "reviewer")
      yield* signIn({ reviewer: false })
      assert.strictEqual(yield* role, "user")
    }))

  it.effect("gets more time with each sign-in, and its row is written once in a minute", () =>
    Effect.gen(function*() {
      const { role, signIn, until } = yield* user
      yield* signIn({ administrator: true })
      const first = yield* until
      yield* TestClock.adjust("59 seconds")
      yield* signIn({ administrator: true })
      assert.deepStrictEqual(yield* until, first)
      yield* TestClock.adjust("1 second")
      yield* signIn({ administrator: true })
      assert.deepStrictEqual(yield* until, DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { days: 1 })))
      yield* TestClock.adjust("1 day")
      assert.strictEqual(yield* role, "user")
    }))

  it.effect("makes way for the role that the platform names by its API, which has no end", () =>
    Effect.gen(function*() {
      const { put, role, signIn } = yield* user
      yield* (yield* Accounts).create({ email: "petra@slotkey.test", name: "Petra", password, role: "admin" })
      yield* signIn({ administrator: true })
      yield* put("reviewer")
      assert.strictEqual(yield* role, "reviewer")
      yield* signIn({ administrator: true })
      yield* put("admin")
      yield* TestClock.adjust("2 days")
      yield* signIn({ administrator: false, reviewer: false })
      assert.strictEqual(yield* role, "admin")
    }))

  it.effect("counts as none once it has lapsed: for lists, for the last administrator, for invitations", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const invitations = yield* Invitations
      const { id, signIn } = yield* user
      yield* (yield* SqlClient.SqlClient)`UPDATE accounts SET role = 'user', role_here = 'user', role_until = NULL`
      const local = yield* accounts.create({ email: "boss@slotkey.test", name: "Boss", password, role: "admin" })
      yield* signIn({ administrator: true })
      const admins = Effect.map(
        (yield* ManagedAccounts).list({ role: "admin" }),
        ({ accounts }) => accounts.map(({ id }) => id)
      )
      assert.sameMembers(yield* admins, [id, local.id])
      const invited = yield* invitations.invite({ email: "ines@example.test", role: "admin" }, id)
      const prepared = Option.getOrThrow(yield* invitations.prepare(invited.id))
      const token = new URL(Redacted.value(prepared.url)).searchParams.get("token") ?? ""
      assert.isTrue(Option.isSome(yield* invitations.find(token)))

      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* admins, [local.id])
      assert.isTrue(Option.isNone(yield* invitations.find(token)))
      assert.strictEqual(
        (yield* Effect.flip((yield* ManagedAccounts).setRole(local.id, "user", "cli"))).code,
        "last_administrator"
      )
      // Nobody would sign in for an app that they have not heard of.
      const told = yield* (yield* IdentitySource).reviewers
      assert.sameMembers(told.map(({ id }) => id), [id, local.id])

      yield* signIn({ administrator: true })
      assert.isTrue(Option.isSome(yield* invitations.find(token)))
      yield* (yield* ManagedAccounts).setRole(local.id, "user", "cli")
      yield* TestClock.adjust("1 day")
      assert.isFalse(yield* accounts.hasAdmin)
    }))

  it.effect("is counted for the operator, with the keys that have no end", () =>
    Effect.gen(function*() {
      const roles = yield* ClaimedRoles
      const keys = yield* ApiKeys
      const before = yield* roles.count
      const [one, other, gone] = [yield* user, yield* user, yield* user]
      // Made while it was a user, whose keys need no end.
      yield* keys.create(one.id, "script", one.id)
      yield* keys.create(one.id, "revoked", one.id)
      yield* keys.revoke(one.id, (yield* keys.list(one.id)).find(({ name }) => name === "revoked")?.id ?? "", "cli")
      yield* keys.create(other.id, "ends", other.id, DateTime.add(yield* DateTime.now, { days: 7 }))
      yield* one.signIn({ administrator: true })
      yield* gone.signIn({ administrator: true })
      yield* (yield* ManagedAccounts).setDisabled(gone.id, true, "cli")
      yield* TestClock.adjust("1 day")
      yield* other.signIn({ reviewer: true })
      assert.deepStrictEqual(yield* roles.count, {
        accounts: before.accounts + 2,
        lapsed: before.accounts + 1,
        endlessKeys: before.endlessKeys + 1
      })
    }))
})

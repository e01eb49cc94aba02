import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { LinkedAccounts } from "../../../../src/core/accounts/linked/LinkedAccounts.ts"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import type { ExternalIdentity } from "../../../../src/core/accounts/people/ExternalIdentity.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { password, Services } from "../Scenario.ts"

const issuer = "https://id.platform.test"

const identity = (subject: string, parts: Partial<ExternalIdentity> = {}): ExternalIdentity => ({
  issuer,
  subject,
  profile: {},
  roles: {},
  ...parts
})

layer(Services)("LinkedAccounts", (it) => {
  it.effect("make an account at the first sign-in, and find and refresh it at the next", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const profile = { name: "Ann", username: "ann", email: "ann@platform.test", timeZone: "Europe/Rome" }
      const first = yield* linked.signIn(identity("1", { profile }))
      assert.deepInclude({ ...first }, { ...profile, role: "user", weekStart: "Sunday" })
      const second = yield* linked.signIn(identity("1", { profile: { name: "Ann B", bio: "hi", weekStart: "Monday" } }))
      const now = { id: first.id, name: "Ann B", bio: "hi", weekStart: "Monday", email: profile.email }
      assert.deepInclude({ ...second }, now)
      assert.deepStrictEqual(yield* (yield* IdentitySource).find(first.id), Option.some(second))
    }))

  it.effect("have an address only as long as somebody vouches for it", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const sql = yield* SqlClient.SqlClient
      const find = Effect.fnUntraced(function*(id: string) {
        const { email, emailVerified } = Option.getOrThrow(yield* (yield* IdentitySource).find(id))
        return { email, emailVerified }
      })
      const profile = { email: "amy@platform.test" }
      const { id } = yield* linked.signIn(identity("amy", { profile }))
      assert.deepStrictEqual(yield* find(id), { email: "amy@platform.test", emailVerified: true })
      // Addresses were once kept for which nobody vouched.
      yield* sql`UPDATE accounts SET email_verified = NULL WHERE id = ${id}`
      assert.deepStrictEqual(yield* find(id), { email: "amy@platform.test", emailVerified: false })
      yield* linked.signIn(identity("amy", { profile }))
      assert.deepStrictEqual(yield* find(id), { email: "amy@platform.test", emailVerified: true })
      yield* linked.signIn(identity("amy"))
      assert.deepStrictEqual(yield* find(id), { email: "amy@platform.test", emailVerified: true })
      yield* linked.signIn(identity("amy", { profile: { email: null } }))
      assert.deepStrictEqual(yield* find(id), { email: "", emailVerified: false })
      const local = yield* (yield* Accounts).create({ email: "amy@slotkey.test", name: "Amy", password })
      assert.deepStrictEqual(yield* find(local.id), { email: "amy@slotkey.test", emailVerified: true })
    }))

  it.effect("tell the same subject of two issuers apart", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const here = yield* linked.signIn(identity("2"))
      const there = yield* linked.signIn({ ...identity("2"), issuer: "https://other.test" })
      assert.notStrictEqual(here.id, there.id)
    }))

  it.effect("never lead to an account by its address or its user name", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const linked = yield* LinkedAccounts
      const boss = yield* accounts.create({ email: "boss@slotkey.test", name: "Boss", password, role: "admin" })
      const profile = { email: "BOSS@slotkey.test", username: "boss" }
      const stranger = yield* linked.signIn(identity("3", { profile }))
      assert.notStrictEqual(stranger.id, boss.id)
      assert.strictEqual(stranger.role, "user")
      assert.match(stranger.username, /^boss-[0-9a-f]{8}$/)
      assert.strictEqual((yield* linked.signIn(identity("3", { profile }))).username, stranger.username)
      assert.strictEqual(Option.getOrThrow(yield* accounts.findByEmail("boss@slotkey.test")).id, boss.id)
      assert.strictEqual((yield* accounts.resolve([profile.email])).get("boss@slotkey.test"), boss.id)
      const another = yield* linked.signIn(identity("4", { profile: { email: "boss@slotkey.test" } }))
      assert.notInclude([boss.id, stranger.id], another.id)
    }))

  it.effect("leave an address free for a local account that comes later", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      yield* linked.signIn(identity("5", { profile: { email: "late@slotkey.test" } }))
      const local = yield* (yield* Accounts).create({ email: "late@slotkey.test", name: "Late", password })
      assert.strictEqual(local.email, "late@slotkey.test")
    }))

  it.effect("take roles from the provider where it speaks of them, and else leave them", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const roleAfter = (roles: ExternalIdentity["roles"]) =>
        Effect.map(linked.signIn(identity("6", { roles })), ({ role }) => role)
      assert.strictEqual(yield* roleAfter({ administrator: true }), "admin")
      assert.strictEqual(yield* roleAfter({}), "admin")
      assert.strictEqual(yield* roleAfter({ reviewer: true }), "admin")
      assert.strictEqual(yield* roleAfter({ administrator: false, reviewer: true }), "reviewer")
      assert.strictEqual(yield* roleAfter({ administrator: false }), "reviewer")
      assert.strictEqual(yield* roleAfter({ reviewer: false }), "user")
      const sql = yield* SqlClient.SqlClient
      const trail = yield* sql`SELECT a.action, a.details ->> 'role' AS role FROM audit_log a
        JOIN identities i ON i.account_id = a.user_id WHERE i.subject = '6' ORDER BY a.id`
      assert.deepStrictEqual(trail.map(({ action, role }) => `${action} ${role}`), [
        "account.created admin",
        "account.role_changed reviewer",
        "account.role_changed user"
      ])
    }))

  it.effect("make one account of sign-ins at the same moment", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const all = yield* Effect.all(Array.from({ length: 5 }, () => linked.signIn(identity("7"))), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(all.map(({ id }) => id)).size, 1)
    }))

  it.effect("refuse a disabled account", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const { id } = yield* linked.signIn(identity("8"))
      yield* (yield* ManagedAccounts).setDisabled(id, true, "cli")
      assert.strictEqual((yield* Effect.flip(linked.signIn(identity("8"))))._tag, "AccountDisabled")
      const then = linked.signInThen(identity("8"), () => Effect.succeed("a session"))
      assert.strictEqual((yield* Effect.flip(then))._tag, "AccountDisabled")
    }))

  it.effect("let in again whom the platform had removed, and not whom an operator has disabled", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const linked = yield* LinkedAccounts
      const put = linked.put(identity("9", { profile: { name: "Nina" } }), "petra")
      const remove = linked.remove(identity("9"), "petra", () => Effect.void)
      const { id } = (yield* put).account
      assert.isTrue((yield* remove).hasLeft)
      assert.isTrue((yield* remove).hasLeft)
      assert.strictEqual((yield* Effect.flip(linked.signIn(identity("9"))))._tag, "AccountDisabled")
      assert.isFalse((yield* put).isDisabled)
      assert.strictEqual((yield* linked.signIn(identity("9"))).id, id)

      yield* accounts.setDisabled(id, true, "cli")
      yield* remove
      assert.isTrue((yield* put).isDisabled)
    }))

  it.effect("keep the account as it was where what runs beside its removal fails", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      yield* linked.signIn(identity("10"))
      yield* Effect.flip(linked.remove(identity("10"), "petra", () => Effect.fail("no")))
      assert.strictEqual((yield* linked.signIn(identity("10"))).role, "user")
    }))
})

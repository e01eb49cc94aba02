import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { LocalIdentitySource } from "../../../../src/core/accounts/local/LocalIdentitySource.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { dummyHash, Passwords } from "../../../../src/core/accounts/local/Passwords.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { UserId } from "../../../../src/domain/Ids.ts"
import { authenticate, password, Services } from "../Scenario.ts"

const person = { email: "pia@example.test", name: "Pia" }

const trail = (userId: UserId) =>
  Effect.flatMap(AuditLog, (audit) => audit.list({ userId })).pipe(
    Effect.map((entries) => entries.map(({ action, actor }) => ({ action, actor })))
  )

layer(Services)("Accounts", (it) => {
  it.effect("creates an account and keeps its password as an argon2id PHC string only", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const sql = yield* SqlClient.SqlClient
      const account = yield* accounts.create({ email: " Ada@Example.test ", name: "Ada", password })
      assert.strictEqual(account.email, "Ada@Example.test")
      assert.strictEqual(account.username, "Ada")
      assert.strictEqual(account.role, "user")
      const [row] = yield* sql<{ passwordHash: string }>`SELECT password_hash FROM accounts WHERE id = ${account.id}`
      assert.match(row?.passwordHash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.deepStrictEqual(yield* accounts.findByEmail("ada@example.TEST"), Option.some(account))
    }))

  it.effect("refuses a second account with the same address in any case, and derives another user name", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      yield* accounts.create({ email: "bob@example.test", name: "Bob", password })
      const taken = yield* Effect.flip(accounts.create({ email: "BOB@example.test", name: "Bob", password }))
      assert.strictEqual(taken.code, "email_taken")
      const namesake = yield* accounts.create({ email: "bob@other.test", name: "Bob", password })
      assert.match(namesake.username, /^bob-[0-9a-f]{8}$/)
      const wanted = { email: "b@other.test", name: "Bob", password, username: "BOB" }
      assert.strictEqual((yield* Effect.flip(accounts.create(wanted))).code, "username_taken")
    }))

  it.effect.each([
    { what: "a short password", input: { email: "c@example.test", name: "C", password: Redacted.make("elevenchars") } },
    {
      what: "a password that is easy to guess",
      input: { email: "c@example.test", name: "C", password: Redacted.make("aaaaaaaaaaaa") }
    },
    {
      what: "a password made of the name",
      input: { email: "c@example.test", name: "Ceridwen", password: Redacted.make("ceridwen1234") }
    },
    { what: "no address", input: { email: "nobody", name: "C", password } },
    { what: "an empty name", input: { email: "c@example.test", name: "  ", password } },
    { what: "a control character", input: { email: "c@example.test", name: "C\u0000", password } }
  ])("refuses $what", ({ input }) =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      assert.strictEqual((yield* Effect.flip(accounts.create(input)))._tag, "BadRequest")
    }))

  it.effect("keeps the password when the new one is too short, too long, common or made of the own name", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { email, id } = yield* accounts.create({ email: "weak@example.test", name: "Weatherby", password })
      for (const weak of ["elevenchars", "ab cd ef gh ".repeat(22), "aaaaaaaaaaaa", "Weatherby2026"]) {
        const refused = yield* Effect.flip(accounts.setPassword(id, Redacted.make(weak), id))
        assert.strictEqual(refused.code, "unusable_password", weak)
      }
      assert.isTrue(Option.isSome(yield* authenticate(yield* IdentitySource)(email, password)))
      const gone = yield* Effect.flip(accounts.setPassword(UserId.make("nobody"), password, id))
      assert.strictEqual(gone.code, "account_not_found")
    }))

  it.effect("records in the audit trail who did what to an account", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { id } = yield* accounts.create({ email: "trail@example.test", name: "T", password, by: "cli" })
      yield* (yield* ManagedAccounts).setDisabled(id, true, "cli")
      yield* (yield* ManagedAccounts).setDisabled(id, false, "cli")
      yield* (yield* ManagedAccounts).setRole(id, "admin", "cli")
      yield* accounts.setPassword(id, Redacted.make("another long password"), id)
      assert.deepStrictEqual(yield* trail(id), [
        { action: "account.password_changed", actor: id },
        { action: "account.role_changed", actor: "cli" },
        { action: "account.enabled", actor: "cli" },
        { action: "account.disabled", actor: "cli" },
        { action: "account.created", actor: "cli" }
      ])
    }))

  it.effect("keeps an administrator, even of two that are demoted at the same moment", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const managed = yield* ManagedAccounts
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET role = 'user'`
      assert.isFalse(yield* accounts.hasAdmin)
      const appoint = (name: string) =>
        accounts.create({ email: `${name}@admins.test`, name, password, role: "admin", by: "cli" })
      const both = [yield* appoint("one"), yield* appoint("two")]
      const demoted = yield* Effect.all(
        both.map(({ id }) => Effect.result(managed.setRole(id, "user", "cli"))),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(demoted.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
      assert.isTrue(yield* accounts.hasAdmin)
      const last = both.find((_, i) => demoted[i]?._tag === "Failure")
      const refused = yield* Effect.flip(managed.setDisabled(last!.id, true, "cli"))
      assert.strictEqual(refused.code, "last_administrator")
    }))

  it.effect("creates one account for two concurrent requests", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const create = Effect.result(accounts.create({ email: "twin@example.test", name: "Twin", password }))
      const results = yield* Effect.all([create, create], { concurrency: 2 })
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
    }))
})

layer(Services)("IdentitySource", (it) => {
  it.effect("authenticates by address and password, unless the account is disabled", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const identities = yield* IdentitySource
      const account = yield* accounts.create({ email: "eve@example.test", name: "Eve", password })
      assert.deepStrictEqual(yield* authenticate(identities)("EVE@example.test", password), Option.some(account))
      const wrong = Redacted.make("wrong horse battery staple")
      assert.isTrue(Option.isNone(yield* authenticate(identities)("eve@example.test", wrong)))
      assert.isTrue(Option.isNone(yield* authenticate(identities)("nobody@example.test", password)))
      yield* (yield* ManagedAccounts).setDisabled(account.id, true, "cli")
      assert.isTrue(Option.isNone(yield* authenticate(identities)("eve@example.test", password)))
      assert.isTrue(Option.isNone(yield* identities.find(account.id)))
      yield* (yield* ManagedAccounts).setDisabled(account.id, false, "cli")
      assert.deepStrictEqual(yield* identities.find(account.id), Option.some(account))
    }))

  it.effect("refuses a password that was changed while it was verified", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const passwords = yield* Passwords
      const { id } = yield* accounts.create({ email: "fay@example.test", name: "Fay", password })
      const change = accounts.setPassword(id, Redacted.make("battery staple correct horse"), id).pipe(Effect.orDie)
      // The password is right, and then another one is set before the answer is given.
      const slow = Passwords.of({ ...passwords, verify: (...shown) => Effect.tap(passwords.verify(...shown), change) })
      const services = yield* Effect.provideService(Layer.build(Layer.fresh(LocalIdentitySource)), Passwords, slow)
      const identities = Context.get(services, IdentitySource)
      assert.isTrue(Option.isNone(yield* authenticate(identities)("fay@example.test", password)))
    }))

  it.effect("accepts the same password in another Unicode form", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      const hash = yield* passwords.hash(Redacted.make("Pa\u00dfw\u00f6rter sind lang"), person)
      assert.isTrue(yield* passwords.verify(hash, Redacted.make("Pa\u00dfwo\u0308rter sind lang")))
    }))

  it.effect("accepts no password without an account, at the cost of a real comparison", () =>
    Effect.gen(function*() {
      const passwords = yield* Passwords
      assert.isFalse(yield* passwords.verify(null, password))
      // Algorithm, version and parameters, and the length of the whole.
      const cost = (hash: string) => [...hash.split("$").slice(0, 4), hash.length]
      assert.deepStrictEqual(cost(dummyHash), cost(yield* passwords.hash(password, person)))
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { LinkedAccounts } from "../../../../src/core/accounts/linked/LinkedAccounts.ts"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import type { Profile } from "../../../../src/core/accounts/people/Account.ts"
import { ProviderLogout } from "../../../../src/core/accounts/people/ProviderLogout.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { SignIn } from "../../../../src/core/accounts/people/SignIn.ts"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { password, Services } from "../Scenario.ts"

/** The entries about a user since the account was made, the oldest first. */
const trail = Effect.fnUntraced(function*(userId: UserId) {
  const entries = yield* (yield* AuditLog).list({ userId })
  return entries.toReversed().slice(1).map(({ action, actor, details }): object => ({ action, actor, ...details }))
})

const local = Effect.fnUntraced(function*(name: string) {
  const account = yield* (yield* Accounts).create({ email: `${name}@slotkey.test`, name, password })
  const { email, id } = account
  const signIn = Effect.map(
    Effect.flatMap(SignIn, (signIn) => signIn.start({ email, password, address: "192.0.2.7" })),
    Redacted.value
  )
  return { account, id, signIn }
})

layer(Services)("The trail", (it) => {
  it.effect("tells of sign-ins and of their ends, and who ended them", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const { id, signIn } = yield* local("sally")
      const [first, second] = [yield* signIn, yield* signIn, yield* signIn]
      yield* sessions.end(first)
      // Nothing ended here.
      yield* sessions.end(first)
      yield* sessions.endOne(id, (yield* sessions.list(id))[0]?.id ?? "")
      yield* sessions.endAll(id, "cli")
      const started = { action: "session.started", actor: id, way: "local" }
      const ended = { action: "session.ended", actor: id, sessions: 1 }
      assert.deepStrictEqual(yield* trail(id), [started, started, started, ended, ended, { ...ended, actor: "cli" }])
      assert.notStrictEqual(first, second)
    }))

  it.effect("tells of sign-ins at a provider, what it said about the profile, and that it ended them", () =>
    Effect.gen(function*() {
      const issuer = "https://id.platform.test"
      const linked = yield* LinkedAccounts
      const signIn = yield* SignIn
      const identity = { issuer, subject: "1", profile: { name: "Lin", bio: "hi" }, roles: {} }
      const enter = (profile: object) =>
        linked.signInThen(
          { ...identity, profile: { ...identity.profile, ...profile } },
          ({ id }) => Effect.as(signIn.startAs(id, { identity: { way: "oidc", issuer, subject: "1" } }), id)
        )
      const id = yield* enter({})
      yield* enter({})
      yield* enter({ name: "Linh", bio: null })
      yield* (yield* ProviderLogout).end({ id: "logout", issuer, subject: "1", sid: undefined })
      yield* linked.put({ ...identity, profile: { name: "Lina" } }, "petra")
      const started = { action: "session.started", actor: id, way: "oidc", issuer }
      assert.deepStrictEqual(yield* trail(id), [
        started,
        started,
        { action: "account.profile_changed", actor: id, fields: "name, bio", issuer },
        started,
        { action: "session.ended", actor: issuer, sessions: 3 },
        { action: "account.profile_changed", actor: "petra", fields: "name", issuer }
      ])
    }))

  it.effect("tells which fields of a profile their user changed, not to what, and nothing of an edit without a change", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const { account, id } = yield* local("edith")
      const { bio, name, timeFormat, timeZone, username } = account
      const profile: Profile = { bio, name, timeFormat, timeZone, username, weekStart: "Sunday" }
      yield* accounts.edit(id, profile)
      yield* accounts.edit(id, { ...profile, name: "Edith B", timeZone: "Europe/Rome" })
      assert.deepStrictEqual(yield* trail(id), [
        { action: "account.profile_changed", actor: id, fields: "name, timeZone" }
      ])
      // A name that is taken changes nothing, and tells nothing.
      const { account: other } = yield* local("edwin")
      const taken = accounts.edit(id, { ...profile, username: other.username })
      assert.strictEqual((yield* Effect.flip(taken)).code, "username_taken")
      assert.strictEqual((yield* trail(id)).length, 1)
    }))

  it.effect("tells of a changed password, and of the sign-ins that end with it", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const sessions = yield* Sessions
      const { id, signIn } = yield* local("paula")
      yield* signIn
      yield* accounts.setPassword(id, Redacted.make("rain on the roof at noon"), id, sessions.endAll(id))
      assert.deepStrictEqual((yield* trail(id)).slice(1), [
        { action: "account.password_changed", actor: id },
        { action: "session.ended", actor: id, sessions: 1 }
      ])
    }))
})

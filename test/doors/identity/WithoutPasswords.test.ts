import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { LinkedAccounts } from "../../../src/core/accounts/linked/LinkedAccounts.ts"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import type { ExternalIdentity } from "../../../src/core/accounts/people/ExternalIdentity.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { layer as server } from "../../support/TestServer.ts"

const issuer = "https://platform.example"
const env = {
  SIGN_IN: "handover",
  HANDOVER_URL: `${issuer}/login`,
  HANDOVER_KEY: Buffer.alloc(32, 1).toString("base64url"),
  ADMINISTRATOR_CLAIM: "staff=yes"
}

/** A user of the platform who has signed in. */
const platformUser = Effect.fnUntraced(function*(subject: string, roles: ExternalIdentity["roles"] = {}) {
  const account = yield* (yield* LinkedAccounts).signIn({ issuer, subject, profile: { name: subject }, roles })
  return yield* visitor(account.id, { identity: { way: "handover", issuer, subject } })
})

layer(server(env), { timeout: 60_000 })("A server where nobody signs in with a password", (it) => {
  it.effect("ends the sessions that began with one", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      const local = Redacted.value(yield* sessions.start(yield* newAccount("local")))
      assert.isTrue(Option.isNone(yield* sessions.find(local)))
      assert.strictEqual((yield* (yield* platformUser("linked")).get("/account")).status, 200)
    }))

  it.effect("offers on the account page nothing that needs a password", () =>
    Effect.gen(function*() {
      const user = yield* platformUser("reader")
      const { text } = yield* user.get("/account")
      for (const path of ["/account/email", "/account/close", "/account/password"]) {
        assert.notInclude(text, path)
        assert.strictEqual((yield* user.get(path)).status, 404, path)
      }
      assert.strictEqual((yield* user.post("/account/password", {})).status, 404)
    }))

  it.effect("keeps the last administrator who can sign in", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const local = yield* newAccount("local", "admin")
      const admin = yield* platformUser("admin", { administrator: true })
      const refused = yield* Effect.flip(accounts.setRole(admin.id, "user", "cli"))
      assert.strictEqual(refused.code, "last_administrator")
      yield* accounts.setRole(local, "user", "cli")
      yield* platformUser("heir", { administrator: true })
      assert.strictEqual((yield* accounts.setRole(admin.id, "user", "cli")).role, "user")
    }))

  it.effect("shows administrators where a user signs in, and who says what role they have", () =>
    Effect.gen(function*() {
      const admin = yield* platformUser("head", { administrator: true })
      const user = yield* platformUser("plain")
      const local = yield* newAccount("older")
      const shown = (yield* admin.get(`/users/${user.id}`)).text
      assert.include(shown, `linked: signs in at <code>${issuer}</code>`)
      assert.include(shown, "The provider says at each sign-in whether <bdi>plain</bdi> is an administrator:")
      assert.notInclude(shown, "The last time")
      const own = (yield* admin.get(`/users/${admin.id}`)).text
      assert.match(
        own,
        /its yes counts for 1 day, even if you set a lesser role here\. The last time, it made them an /
      )
      const other = (yield* admin.get(`/users/${local}`)).text
      assert.include(other, "local: with a password of this server")
      assert.notInclude(other, "The provider says")
      const { text } = yield* admin.get("/users")
      assert.include(text, "linked: <bdi>platform.example</bdi>")
      const { json } = yield* admin.call("GET", `/v2/admin/users/${user.id}`)
      assert.include(json["data"], { id: user.id, issuer })
    }))

  it.effect("lets an administrator give for good what the provider has lent", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      for (const by of ["page", "API"]) {
        const admin = yield* platformUser(`appointing by ${by}`, { administrator: true })
        const user = yield* platformUser(`appointed by ${by}`, { administrator: true })
        yield* by === "page"
          ? admin.post(`/users/${user.id}/role`, { role: "admin" })
          : admin.call("PATCH", `/v2/admin/users/${user.id}`, { role: "admin" })
        yield* TestClock.adjust("1 day")
        assert.strictEqual((yield* accounts.get(admin.id)).role, "user")
        assert.deepInclude({ ...yield* accounts.get(user.id) }, { role: "admin", claimedRole: null })
      }
    }))
})

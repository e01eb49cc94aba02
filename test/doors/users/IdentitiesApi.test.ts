import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { LinkedAccounts } from "../../../src/core/accounts/linked/LinkedAccounts.ts"
import { MailedLinks } from "../../../src/core/accounts/local/MailedLinks.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import * as Testing from "../../../src/testing.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { serverClient } from "../../support/TestServer.ts"
import { approvedClient, grant } from "../consent/Scenario.ts"

const Server = Testing.layer().pipe(Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer)))

// A subject as Auth0 has them, with what an address must encode.
const subject = { issuer: "https://id.platform.test/", subject: "auth0|ann/1" }
const path = `/v2/admin/identities?${new URLSearchParams(subject)}`

/** Calls of the API with a key of this administrator. */
const callsOf = Effect.fnUntraced(function*(admin: UserId) {
  const { ask } = yield* serverClient
  const { key } = yield* (yield* ApiKeys).create(admin, "the platform", admin)
  const authorization = `Bearer ${Redacted.value(key)}`
  return (method: string, body?: object, more = "") =>
    ask(path + more, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
})

layer(Server)("The platform", (it) => {
  it.effect("makes a user again and again, who loses all access when it removes them", () =>
    Effect.gen(function*() {
      const keys = yield* ApiKeys
      const linked = yield* LinkedAccounts
      const links = yield* MailedLinks
      const sessions = yield* Sessions
      const admin = yield* newAccount("petra", "admin")
      const call = yield* callsOf(admin)
      const find = Effect.map(linked.find(subject), (found) => Option.getOrThrow(found).account)

      const put = call("PUT", { name: "Ann", bio: "hi" })
      // RFC 9110 §9.3.4: of two requests at once, one makes the account.
      const [one, other] = yield* Effect.all([put, put], { concurrency: 2 })
      assert.sameMembers([one.status, other.status], [201, 200])
      assert.deepStrictEqual(one.json, other.json)
      assert.strictEqual((one.status === 201 ? other : one).headers.get("location"), null)
      assert.strictEqual((yield* call("PUT", { bio: null })).status, 200)
      const user = yield* find
      assert.deepInclude({ ...user }, { name: "Ann", bio: null, role: "user" })
      for (const wrong of [{ timeZone: "Mars" }, { role: "owner" }, { id: "x" }, { name: "" }]) {
        assert.strictEqual((yield* call("PUT", wrong)).status, 400)
      }

      const app = yield* approvedClient(yield* newAccount("owner"), admin)
      yield* grant(user.id, app.id, ["PROFILE_READ"])
      const session = Redacted.value(yield* sessions.start(user.id))
      const theirs = Redacted.value((yield* keys.create(user.id, "a script", user.id)).key)
      const link = {
        id: "link",
        purpose: "email-change",
        email: "other@platform.test",
        lifetime: Duration.hours(1)
      } as const
      yield* links.open({ ...link, accountId: user.id })
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* call("DELETE")).status, 200)
      assert.isEmpty(yield* links.list("email-change", user.id))
      assert.isTrue(Option.isNone(yield* sessions.find(session)))
      assert.isTrue(Option.isNone(yield* keys.verify(theirs)))
      assert.deepStrictEqual(yield* (yield* Grants).listLive(user.id), [])
      const identity = { ...subject, profile: {}, roles: {} }
      assert.strictEqual((yield* Effect.flip(linked.signIn(identity)))._tag, "AccountDisabled")

      assert.strictEqual((yield* call("PUT", {})).status, 200)
      assert.strictEqual((yield* linked.signIn(identity)).id, user.id)
      assert.isTrue(Option.isNone(yield* keys.verify(theirs)))
      const entries = yield* (yield* AuditLog).list({ userId: user.id })
      const byPetra = entries.filter(({ actor }) => actor === admin).map(({ action }) => action).reverse()
      assert.deepStrictEqual(
        byPetra.filter((action) => /^(account|api_key)\./.test(action)),
        ["account.created", "account.profile_changed", "account.disabled", "api_key.revoked", "account.enabled"]
      )
    }))

  it.effect("erases a user for good, and with their apps only when it says so", () =>
    Effect.gen(function*() {
      const linked = yield* LinkedAccounts
      const admin = yield* newAccount("paul", "admin")
      const call = yield* callsOf(admin)
      assert.strictEqual((yield* call("PUT", { name: "Ann", email: "ann@platform.test" })).status, 200)
      const { account: user } = Option.getOrThrow(yield* linked.find(subject))
      const session = Redacted.value(yield* (yield* Sessions).start(user.id))
      const app = yield* approvedClient(user.id, admin)
      yield* grant(yield* newAccount("guest"), app.id, ["PROFILE_READ"])

      for (const wrong of ["&erase=yes", "&erased=true"]) {
        assert.strictEqual((yield* call("DELETE", undefined, wrong)).status, 400)
      }
      const refused = yield* call("DELETE", undefined, "&erase=true")
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "owns_used_apps")
      assert.isTrue(Option.isSome(yield* (yield* Sessions).find(session)))

      // Shut out before, as who leaves often is.
      assert.notProperty((yield* call("DELETE")).json["data"], "deletedApps")
      const { json, status } = yield* call("DELETE", undefined, "&erase=with_used_apps")
      assert.strictEqual(status, 200)
      assert.nestedPropertyVal(json, "data.account.email", "ann@platform.test")
      assert.deepNestedPropertyVal(json, "data.deletedApps", [{ id: app.id, name: app.name }])
      assert.isTrue(Option.isNone(yield* linked.find(subject)))
      assert.strictEqual((yield* call("GET")).status, 404)
      assert.strictEqual((yield* call("DELETE", undefined, "&erase=true")).status, 404)
      const again = yield* linked.signIn({ ...subject, profile: {}, roles: {} })
      assert.notStrictEqual(again.id, user.id)
      const entries = yield* (yield* AuditLog).list({ userId: user.id })
      const last = entries.find(({ action }) => action === "account.deleted")
      assert.strictEqual(last?.actor, admin)
    }))

  it.effect("cannot erase the last administrator", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* (yield* callsOf(yield* newAccount("pia", "admin")))("PUT", { role: "admin" })
      const { account } = Option.getOrThrow(yield* (yield* LinkedAccounts).find(subject))
      yield* sql`UPDATE accounts SET role = 'user' WHERE id <> ${account.id}`
      const refused = yield* (yield* callsOf(account.id))("DELETE", undefined, "&erase=with_used_apps")
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "last_administrator")
    }))
})

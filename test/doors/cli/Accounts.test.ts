import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { LinkedAccounts } from "../../../src/core/accounts/linked/LinkedAccounts.ts"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { newAccount, newClient } from "../../core/clients/Scenario.ts"
import { slotkey } from "../../support/Cli.ts"
import { approvedApp, assertRefused } from "../../support/TestServer.ts"
import { besideServer } from "./Scenario.ts"

describe("slotkey accounts", () => {
  it.live(
    "lists accounts by what is in their address or name",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const ann = yield* newAccount("ann")
        yield* newAccount("root", "admin")
        const found = yield* json("accounts", "list", "--search", "ANN")
        assert.deepInclude(found, { total: 1, page: 1, pages: 1 })
        assert.deepInclude(found.accounts[0], { id: ann, role: "user", disabled: false })
        assert.strictEqual((yield* json("accounts", "list")).total, 2)
        assert.strictEqual((yield* json("accounts", "list", "--search", "a_n")).total, 0)
        assert.match(
          (yield* run("accounts", "list", "--page", "9")).stdout,
          /^\S+\tuser\tenabled\t.*\n\S+\tadmin\t.*\n$/
        )
      })),
    120_000
  )

  it.live(
    "gives linked accounts roles by their id, and makes nothing for passwords that nobody signs in with",
    () =>
      besideServer(Effect.fnUntraced(function*({ env, json, run }) {
        const identity = { issuer: "https://platform.example", subject: "7", profile: { name: "Ada" }, roles: {} }
        const { id } = yield* (yield* LinkedAccounts).signIn(identity)
        const local = yield* newAccount("local")
        const listed = yield* json("accounts", "list")
        assert.sameMembers(listed.accounts.map(({ issuer }: { issuer: string }) => issuer), [identity.issuer, null])
        assert.deepInclude(yield* json("accounts", "role", "--email", id, "--role", "admin"), { id, role: "admin" })

        const linked = yield* run("accounts", "restore-address", "--email", id, "--address", "ada@example.com", "--yes")
        assert.include(linked.stderr, "its user signs in elsewhere")

        const platform = {
          ...env,
          SIGN_IN: "handover",
          HANDOVER_URL: "https://platform.example/login",
          HANDOVER_KEY: Buffer.alloc(32, 1).toString("base64url")
        }
        const refused = [
          ["setup-link"],
          ["accounts", "create", "--email", "bob@example.com", "--name", "Bob", "--password-stdin"],
          ["accounts", "set-password", "--email", local, "--password-stdin"],
          ["accounts", "restore-address", "--email", local, "--address", "old@example.com", "--yes"]
        ]
        for (const args of refused) {
          const { code, stderr } = yield* slotkey(args, { env: platform })
          assert.strictEqual(code, 1)
          assert.include(stderr, "the setting SIGN_IN does not name `local`")
        }
      })),
    120_000
  )

  it.live(
    "ends all sign-ins of an account or of everybody, with an entry of the trail, and no API key",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const sessions = yield* Sessions
        const keys = yield* ApiKeys
        const [one, other] = [yield* newAccount("one"), yield* newAccount("other")]
        const start = (id: typeof one) => Effect.map(sessions.start(id), Redacted.value)
        const tokens = [yield* start(one), yield* start(one), yield* start(other)]
        const live = Effect.forEach(tokens, (token) => Effect.map(sessions.find(token), Option.isSome))
        const { key } = yield* keys.create(one, "script", one)
        const lent = Effect.fnUntraced(function*(subject: string) {
          const identity = { issuer: "https://id.example", subject, profile: {}, roles: { administrator: true } }
          return (yield* (yield* LinkedAccounts).signIn(identity)).id
        })
        const [ada, alan] = [yield* lent("ada"), yield* lent("alan")]
        const roles = Effect.flatMap(ManagedAccounts, (managed) =>
          Effect.forEach([ada, alan], (id) => Effect.map(managed.get(id), ({ role }) => role)))
        assert.deepStrictEqual(yield* json("accounts", "sign-out", "--email", ada), { endedSessions: 0 })
        assert.deepStrictEqual(yield* roles, ["user", "admin"])

        assert.deepStrictEqual(yield* json("accounts", "sign-out", "--email", one), { endedSessions: 2 })
        assert.deepStrictEqual(yield* live, [false, false, true])
        // Neither by mistake nor without a question.
        for (const args of [[], ["--all", "--email", other, "--yes"], ["--all"]]) {
          assert.strictEqual((yield* run("accounts", "sign-out", ...args)).code, 2)
        }
        assert.deepStrictEqual(yield* live, [false, false, true])
        assert.deepStrictEqual(yield* json("accounts", "sign-out", "--all", "--yes"), { endedSessions: 1 })
        assert.deepStrictEqual(yield* live, [false, false, false])
        assert.deepStrictEqual(yield* roles, ["user", "user"])
        assert.isTrue(Option.isSome(yield* keys.verify(Redacted.value(key))))
        const trail = yield* (yield* AuditLog).list({ actor: "cli", actions: ["session.ended"] })
        assert.deepStrictEqual(
          trail.map(({ userId }) =>
            userId
          ),
          [null, one]
        )
        assert.deepStrictEqual(trail.map(({ details }) => details), [{ sessions: 1, accounts: "all" }, { sessions: 2 }])
      })),
    120_000
  )

  it.live(
    "gives an account its old address back, after a question, and ends what somebody else had of it",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const accounts = yield* Accounts
        const keys = yield* ApiKeys
        const sessions = yield* Sessions
        const id = yield* newAccount("taken")
        const { email } = Option.getOrThrow(yield* accounts.find(id))
        const session = Redacted.value(yield* sessions.start(id))
        const { key } = yield* keys.create(id, "script", id)
        const restore = ["accounts", "restore-address", "--email", email, "--address", "ann.before@example.test"]
        const unconfirmed = yield* run(...restore)
        assert.strictEqual(unconfirmed.code, 2)
        assert.match(unconfirmed.stderr, /^Give \S+ the address ann\.before@example\.test\? .* Nothing was changed/)
        assert.isTrue(Option.isSome(yield* sessions.find(session)))
        assert.deepInclude(yield* json(...restore, "--yes"), { id, email: "ann.before@example.test" })
        assert.isTrue(Option.isNone(yield* sessions.find(session)))
        assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(key))))
        const trail = yield* (yield* AuditLog).list({ userId: id, actions: ["account.email_restored"] })
        assert.deepStrictEqual(trail.map(({ actor, details }) => ({ actor, details })), [{ actor: "cli", details: {} }])
      })),
    120_000
  )

  it.live(
    "deletes an account with all that hangs on it, and no app with users unless it is told to",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const app = yield* approvedApp()
        const { access_token, refresh_token } = yield* app.tokens()
        const accounts = yield* Accounts
        const sessions = yield* Sessions
        const keys = yield* ApiKeys
        const email = (id: typeof app.user) => Effect.map(accounts.find(id), (found) => Option.getOrThrow(found).email)
        const session = Redacted.value(yield* sessions.start(app.user))
        const { key } = yield* keys.create(app.user, "script", app.user)
        const waiting = yield* app.code()
        const own = yield* newClient(app.user)

        const user = ["accounts", "delete", "--email", yield* email(app.user)]
        const unconfirmed = yield* run(...user)
        assert.strictEqual(unconfirmed.code, 2)
        assert.match(unconfirmed.stderr, /^Delete \S+ with 1 grant, 1 API key and 1 app\? Nothing was changed/)
        const deleted = yield* json(...user, "--yes")
        assert.deepInclude(deleted, { id: app.user, endedGrants: 1, revokedApiKeys: 1 })
        assert.deepStrictEqual(deleted.deletedApps, [{ id: own.client.id, name: own.client.name, users: 0 }])
        assert.isTrue(Option.isNone(yield* sessions.find(session)))
        assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(key))))
        assert.isTrue(Option.isNone(yield* (yield* IdentitySource).find(app.user)))
        assert.strictEqual((yield* app.me(access_token)).status, 401)
        assertRefused(yield* app.refresh(refresh_token), 400, "invalid_grant")
        assertRefused(yield* app.exchange(waiting), 400, "invalid_grant")
        assert.strictEqual((yield* Effect.flip((yield* ClientReview).get(own.client.id))).code, "client_not_found")
        const trail = yield* (yield* AuditLog).list({ userId: app.user, actions: ["account.deleted"] })
        assert.deepStrictEqual(trail.map(({ actor }) => actor), ["cli"])
        assert.strictEqual((yield* run(...user, "--yes")).code, 3)

        const other = yield* newAccount("other")
        const { access_token: used } = yield* Effect.flatMap(
          app.code({ user: other }),
          (code) => Effect.map(app.exchange(code), ({ json }) => json)
        )
        const owner = ["accounts", "delete", "--email", yield* email(app.owner), "--yes"]
        const refused = yield* run(...owner)
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.include(refused.stderr, `${app.client.id} ${app.client.name}, 1 user`)
        assert.strictEqual((yield* app.me(used)).status, 200)
        const { deletedApps } = yield* json(...owner, "--with-used-apps")
        assert.deepStrictEqual(deletedApps, [{ id: app.client.id, name: app.client.name, users: 1 }])
        assert.strictEqual((yield* app.me(used)).status, 401)

        const last = yield* run("accounts", "delete", "--email", yield* email(app.admin), "--yes")
        assert.deepStrictEqual([last.code, last.stderr.slice(0, 35)], [1, "This is the last administrator. App"])
      })),
    120_000
  )
})

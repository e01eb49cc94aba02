import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { globSync, readFileSync } from "node:fs"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { perAccount } from "../../../src/core/accounts/people/SignInThrottle.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { operator } from "../../../src/core/audit/Operator.ts"
import { securityEvents } from "../../../src/core/audit/SecurityEvents.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../../src/core/clients/secrets/SecretVault.ts"
import { KeyRotation } from "../../../src/core/keys/KeyRotation.ts"
import { ClientId, UserId } from "../../../src/domain/Ids.ts"
import { messagesOf } from "../../../src/foundation/messages/Languages.ts"
import { LogLines } from "../../support/LogLines.ts"
import { approvedApp, layer as server } from "../../support/TestServer.ts"

const acts = securityEvents.flatMap(({ action, name }) =>
  action !== undefined && name === `admin.${action}` ? [{ action, name }] : []
)

/** Other actions of the audit trail: developers, users and apps act for themselves, or the server does. */
const byOthers = [
  "account.email_changed",
  "account.invitation_accepted",
  "account.profile_changed",
  "session.started",
  "client.answered",
  "client.registered",
  "client.edited",
  "client.registered_itself",
  "client.expired",
  "client.introduced",
  // The server takes over what a document says.
  "client.document_changed",
  "client.resubmitted",
  "client.reported",
  "client.wished",
  "client.owner_invited",
  "client.owner_joined",
  "client.owner_left",
  "client.owner_removed",
  "client.owner_role_changed",
  "client.owner_uninvited",
  "client.transfer_asked",
  "client.transfer_withdrawn",
  "client.change_withdrawn",
  "client.migration_undone",
  // The server itself fetches the logo of an app from before.
  "client.logo_fetched",
  "test_app.made",
  "test_app.reset",
  "test_app.ended",
  "test_app.invited",
  "test_app.dismissed",
  "test_app.accepted",
  "test_app.left",
  "consent.allowed",
  "consent.denied",
  "consent.withdrawn",
  "endpoint.set",
  "endpoint.removed",
  "endpoint.secret_rotated",
  "grant.displaced",
  "grant.imported",
  "grant.superseded",
  "grant.revoked",
  "grant.shortened",
  "code.replayed",
  "refresh_token.reused",
  "secret.end_changed",
  "secret.ended",
  "secret.revealed",
  // Reported by others, and events of their own.
  "api_key.leaked",
  "registration_token.leaked",
  "refresh_token.leaked",
  "secret.leaked",
  // No act, but a notice to the owner.
  "secret.replaced"
]

// Without the long grace, a theft shows after half a minute.
layer(server({ REFRESH_GRACE_MAX: "0 seconds" }).pipe(Layer.provideMerge(LogLines.layer)))((it) => {
  describe("the log", () => {
    it.effect("tells of a theft, once, with the ids of client, user and grant and of the request that showed it", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const { client, refresh, token, refreshOf, tokens, user } = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        yield* refresh(refresh_token)
        yield* TestClock.adjust("31 seconds")
        yield* token(refreshOf(refresh_token), { "x-request-id": "thief" })
        yield* refresh(refresh_token)
        const [theft, ...more] = log.of("refresh_token.theft").filter(({ client_id }) => client_id === client.id)
        assert.deepInclude(theft, { actor: client.id, user_id: user, request_id: "thief" })
        assert.isString(theft?.["grant_id"])
        assert.isEmpty(more)
      }))

    it.effect("tells of a refresh that is repeated within its grace", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const { client, refresh, tokens, user } = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        yield* refresh(refresh_token)
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
        const [replay, ...more] = log.of("refresh_token.grace_replay")
        assert.deepInclude(replay, { client_id: client.id, user_id: user })
        assert.isEmpty(more)
      }))

    it.effect("tells of a code that is used twice", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const { client, code, exchange, user } = yield* approvedApp()
        const spent = yield* code()
        yield* exchange(spent)
        yield* TestClock.adjust("10 seconds")
        yield* exchange(spent)
        const [replay, ...more] = log.of("authorization_code.replay")
        assert.deepInclude(replay, { actor: client.id, user_id: user })
        assert.isEmpty(more)
      }))

    it.effect("tells of a client's wrong secrets once, and then once a minute how many there were", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const { client, refresh, tokens } = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        const ofClient = () =>
          log.of("client.wrong_secret").filter(({ client_id }) => client_id === client.id).map(({ count }) => count)
        const guess = (times: number) =>
          Effect.forEach(Array.from({ length: times }), () => refresh(refresh_token, { client_secret: "wrong" }))
        yield* guess(5)
        assert.deepStrictEqual(ofClient(), [1])
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(ofClient(), [1, 4])
        yield* guess(2)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(ofClient(), [1, 4, 2])
        yield* TestClock.adjust("1 minute")
        yield* guess(1)
        assert.deepStrictEqual(ofClient(), [1, 4, 2, 1])
      }))

    it.effect("tells of an address that is locked out, and does not name whose password was guessed", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const { post } = yield* approvedApp()
        const fields = { email: "uma@example.com", password: "not-her-password" }
        for (let n = 0; n < perAccount + 3; n++) yield* post("/sign-in", fields)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(log.of("sign_in.locked_out").map(({ address, count }) => [address, count]), [
          ["unknown", 1],
          ["unknown", 2]
        ])
        assert.notInclude(JSON.stringify(log.all), "uma@example.com")
        assert.notInclude(JSON.stringify(log.all), "not-her-password")
      }))

    it.effect("tells what administrators and operators do, to whom", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const { admin, client } = yield* approvedApp()
        const review = yield* ClientReview
        const accounts = yield* Accounts
        const suspended = yield* review.suspend(admin, client.id, "Spam", client.version)
        yield* review.resume(admin, client.id, suspended.version)
        for (const act of ["approved", "suspended", "resumed"]) {
          const ofClient = log.of(`admin.client.${act}`).filter(({ client_id }) => client_id === client.id)
          assert.deepStrictEqual(ofClient.map(({ actor }) => actor), [admin])
        }
        const { id } = yield* accounts.create({
          email: "new@example.com",
          name: "New",
          password: Redacted.make("correct horse battery"),
          by: "cli"
        })
        yield* (yield* ManagedAccounts).setDisabled(id, true, "cli")
        yield* accounts.setPassword(id, Redacted.make("another long password"), id)
        assert.deepInclude(log.of("admin.account.created").at(-1), { actor: "cli", user_id: id })
        assert.deepInclude(log.of("admin.account.disabled").at(-1), { actor: "cli", user_id: id })
        assert.isEmpty(log.of("admin.account.password_changed"))
        yield* accounts.setPassword(id, Redacted.make("a third long password"), "cli")
        assert.deepInclude(log.of("admin.account.password_changed").at(-1), { actor: "cli", user_id: id })
        const vault = yield* SecretVault
        yield* vault.generate(client.id)
        assert.isEmpty(log.of("admin.secret.generated"))
        yield* vault.replaceAll(client.id, { by: operator })
        assert.deepInclude(log.of("admin.secret.generated").at(-1), { actor: "cli", client_id: client.id })
        yield* (yield* KeyRotation).rotate("cli")
        assert.deepInclude(log.of("admin.key.rotated").at(-1), { actor: "cli" })
      }))

    it("has every act of administrators and operators in its list", () => {
      const known = [...acts.map(({ action }) => action), ...byOthers]
      const messages = new Set(Object.keys(messagesOf("en")))
      const recorded = globSync(["src/core/**/*.ts", "src/doors/**/*.ts", "workers/**/*.ts"])
        .filter((file) => !file.endsWith("SecurityEvents.ts"))
        .map((file) => readFileSync(file, "utf8"))
        .filter((text) => /AuditLog|Transition/.test(text))
        .flatMap((text) => [...text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, action = ""]) => action))
        // Keys of messages look the same.
        .filter((action) => known.includes(action) || !messages.has(action))
      assert.deepStrictEqual([...new Set(recorded)].toSorted(), known.toSorted())
    })

    it.effect("tells nothing of an act that was rolled back", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const sql = yield* SqlClient.SqlClient
        const entry = { actor: "cli", action: "client.rejected", clientId: ClientId.make("slk_client_rolled_back") }
        const record = (yield* AuditLog).record(entry)
        yield* Effect.ignore(sql.withTransaction(Effect.andThen(record, Effect.fail("rolled back"))))
        assert.isEmpty(log.of("admin.client.rejected"))
        yield* sql.withTransaction(record)
        assert.lengthOf(log.of("admin.client.rejected"), 1)
      }))

    it.effect("has one line for many acts of a kind, with what they have in common", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const clients = ["one", "two", "three"].map((name) => ClientId.make(name))
        const owner = UserId.make("owner")
        yield* (yield* AuditLog).recordAll(
          clients.map((clientId) => ({ actor: "cli", action: "client.imported", clientId, userId: owner }))
        )
        assert.deepStrictEqual(log.of("admin.client.imported"), [{
          message: "A legacy app was imported",
          event: "admin.client.imported",
          actor: "cli",
          user_id: owner,
          count: 3
        }])
      }))

    it.effect("tells of each act of the list, which is in the audit trail, too", () =>
      Effect.gen(function*() {
        const log = yield* LogLines
        const audit = yield* AuditLog
        for (const { action, name } of acts) {
          const clientId = ClientId.make(`act_${action}`)
          yield* audit.record({ actor: operator, action, clientId })
          const lines = log.of(name).filter(({ client_id }) => client_id === clientId)
          assert.deepStrictEqual(lines.map(({ actor }) => actor), [operator])
          assert.deepStrictEqual((yield* audit.list({ clientId })).map(({ action }) => action), [action])
        }
      }))
  })
})

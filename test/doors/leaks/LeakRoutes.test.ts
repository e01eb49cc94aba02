import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { generateKeyPairSync, hash, sign } from "node:crypto"
import { createServer } from "node:http"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { SealedSecrets } from "../../../src/core/clients/secrets/SealedSecrets.ts"
import { SecretVault } from "../../../src/core/clients/secrets/SecretVault.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { ClientId } from "../../../src/domain/Ids.ts"
import { listen } from "../../support/Listening.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import * as TestServer from "../../support/TestServer.ts"
import { callback, initialToken, managed, register } from "../oauth/registration/Scenario.ts"

/** Who reports leaks: a server with its public keys, as GitHub's is. */
const makeReporter = Effect.gen(function*() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const reporter = {
    asked: 0,
    status: 200,
    sign: (body: string) => sign("sha256", Buffer.from(body), privateKey).toString("base64"),
    url: ""
  }
  const server = createServer((_, response) => {
    reporter.asked++
    const key = publicKey.export({ type: "spki", format: "pem" })
    response.writeHead(reporter.status, { "content-type": "application/json" }).end(
      JSON.stringify({ public_keys: [{ key_identifier: "one", key, is_current: true }] })
    )
  })
  reporter.url = `http://127.0.0.1:${yield* listen(server)}/meta/public_keys/secret_scanning`
  return reporter
})

class Reporter extends Context.Service<Reporter, Effect.Success<typeof makeReporter>>()(
  "slotkey/test/doors/leaks/LeakRoutes.test/Reporter"
) {}

const server = Layer.unwrap(Effect.map(makeReporter, (reporter) =>
  Layer.merge(
    TestServer.layer({ SECRET_SCANNING_KEYS_URL: reporter.url, DYNAMIC_REGISTRATION: "token" }),
    Layer.succeed(Reporter, reporter)
  )))

const path = "/v2/secret-scanning/alerts"

interface Options {
  readonly key?: string
  readonly signature?: string
}

/** Sends reports to one server, which remembers what came before. */
const sender = Effect.gen(function*() {
  const { ask } = yield* TestServer.serverClient
  const reporter = yield* Reporter
  return (body: string, { key = "one", signature = reporter.sign(body) }: Options = {}) =>
    ask(path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "github-public-key-identifier": key,
        "github-public-key-signature": signature
      },
      body
    })
})

const url = "https://github.com/octocat/Hello-World/blob/main/.env?token=x#L3"
const found = (...tokens: ReadonlyArray<string>) =>
  JSON.stringify(tokens.map((token) => ({ token, type: "slotkey_client_secret", url, source: "content" })))

const notices = Effect.fnUntraced(function*(userId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ payload: Record<string, unknown> }>`SELECT payload FROM outbox
    WHERE queue = 'credential-notices' AND payload->>'userId' = ${userId} ORDER BY outbox.id`
})

layer(server, { timeout: 60_000 })("A report of credentials that were found in public", (it) => {
  it.effect("ends a secret, leaves the other one, and says where it was found", () =>
    Effect.gen(function*() {
      const send = yield* sender
      const vault = yield* SecretVault
      const app = yield* TestServer.approvedApp()
      const young = yield* vault.generate(app.client.id)
      const answer = yield* send(found(app.secret, app.secret))
      assert.strictEqual(answer.status, 200)
      TestServer.assertRefused(yield* app.exchange(yield* app.code()), 401, "invalid_client")
      const by = { client_secret: Redacted.value(young.secret) }
      assert.strictEqual((yield* app.exchange(yield* app.code(), by)).status, 200)

      const rows = yield* notices(app.owner)
      assert.deepInclude(rows.at(-1)?.payload, {
        event: "secret.leaked",
        lastFour: [app.secret.slice(-4)],
        foundAt: "https://github.com/octocat/Hello-World/blob/main/.env"
      })
      assert.lengthOf(rows, 2)
      const [entry] = yield* (yield* AuditLog).list({ clientId: app.client.id })
      assert.deepInclude(entry, { action: "secret.leaked", actor: "secret-scanning" })
      assert.notInclude(JSON.stringify([rows, entry]), app.secret.slice(11, 30))
    }))

  it.effect("replaces the last secret by one that its owner reads, once", () =>
    Effect.gen(function*() {
      const send = yield* sender
      const sql = yield* SqlClient.SqlClient
      const vault = yield* SecretVault
      const sealed = yield* SealedSecrets
      const app = yield* TestServer.approvedApp()
      yield* send(found(app.secret))
      TestServer.assertRefused(yield* app.exchange(yield* app.code()), 401, "invalid_client")
      const [only, ...more] = yield* vault.list(app.client.id)
      assert.deepStrictEqual(more, [])
      assert.isTrue(only?.isSealed)
      const { secret } = yield* sealed.reveal(app.client.id, only?.id ?? "")
      const text = Redacted.value(secret)
      assert.isDefined(Credential.parse("clientSecret", text))
      assert.strictEqual((yield* app.exchange(yield* app.code(), { client_secret: text })).status, 200)
      const again = yield* Effect.flip(sealed.reveal(app.client.id, only?.id ?? ""))
      assert.strictEqual(again.code, "secret_not_sealed")
      assert.deepStrictEqual(yield* sql`SELECT sealed FROM client_secrets WHERE client_id = ${app.client.id}`, [
        { sealed: null }
      ])
      assert.deepStrictEqual((yield* notices(app.owner)).map(({ payload }) => payload["event"]), [
        "secret.replaced",
        "secret.revealed"
      ])
    }))

  it.effect("does not bring back a secret that had ended before", () =>
    Effect.gen(function*() {
      const send = yield* sender
      const vault = yield* SecretVault
      const sql = yield* SqlClient.SqlClient
      const app = yield* TestServer.approvedApp()
      const [old] = yield* vault.list(app.client.id)
      const young = yield* vault.generate(app.client.id)
      yield* sql`UPDATE client_secrets SET ends_at = '1970-01-01' WHERE id = ${old?.id}`
      yield* TestClock.adjust("1 hour")
      yield* send(found(Redacted.value(young.secret)))
      TestServer.assertRefused(yield* app.exchange(yield* app.code()), 401, "invalid_client")
      assert.deepStrictEqual((yield* vault.list(app.client.id)).map(({ isSealed }) => isSealed), [true])
    }))

  it.effect("ends API keys, and the grants of refresh tokens", () =>
    Effect.gen(function*() {
      const send = yield* sender
      const keys = yield* ApiKeys
      const app = yield* TestServer.approvedApp()
      const { key } = yield* keys.create(app.user, "deployment", app.user)
      const tokens = yield* app.tokens()
      yield* send(found(Redacted.value(key), String(tokens["refresh_token"])))
      assert.isTrue(Option.isNone(yield* keys.verify(Redacted.value(key))))
      TestServer.assertRefused(yield* app.refresh(tokens["refresh_token"]), 400, "invalid_grant")
      assert.strictEqual((yield* app.me(tokens["access_token"])).status, 401)
      assert.strictEqual((yield* notices(app.user)).at(-1)?.payload["event"], "api_key.leaked")
      assert.strictEqual((yield* notices(app.owner)).at(-1)?.payload["event"], "refresh_token.leaked")
    }))

  it.effect("ends tokens with which apps register by themselves, and those that manage such apps", () =>
    Effect.gen(function*() {
      const send = yield* sender
      const { token } = yield* initialToken()
      const app = managed(yield* register({ redirect_uris: [callback] }, token))
      assert.strictEqual((yield* app.read).status, 200)
      const answer = yield* send(found(token, String(app.token)))
      assert.notInclude(answer.text, "false_positive")
      assert.strictEqual((yield* register({ redirect_uris: [callback] }, token)).status, 401)
      assert.strictEqual((yield* app.read).status, 401)
      const [entry] = yield* (yield* AuditLog).list({ clientId: ClientId.make(app.id) })
      assert.deepInclude(entry, { action: "registration_token.leaked", actor: "secret-scanning" })
    }))

  it.effect("gets the same answer for a credential that lives, has ended, or never was", () =>
    Effect.gen(function*() {
      const send = yield* sender
      const app = yield* TestServer.approvedApp()
      const live = app.secret
      const unknown = Redacted.value(yield* Credential.make("clientSecret"))
      const foreign = "ghp_notOneOfOurs"
      const answers = yield* Effect.forEach([live, live, unknown, foreign], (token) => send(found(token)))
      const label = (token: string, label: string) =>
        JSON.stringify([{ token_hash: hash("sha256", token), token_type: "slotkey_client_secret", label }])
      assert.deepStrictEqual(answers.map(({ text }) => text), [
        label(live, "true_positive"),
        label(live, "true_positive"),
        label(unknown, "true_positive"),
        label(foreign, "false_positive")
      ])
      assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    }))

  it.effect("asks the database nothing about what is none of ours by its form", () =>
    Effect.gen(function*() {
      const send = yield* sender
      // A statement would fail.
      yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE client_secrets RENAME TO gone`)
      const secret = Redacted.value(yield* Credential.make("clientSecret"))
      const lookalikes = Array.from({ length: 2_000 }, (_, i) => `slk_secret_${String(i).padStart(49, "0")}`)
      const answer = yield* send(found(...lookalikes, secret.slice(0, -1), `${secret}0`, "slk_session_", ""))
      const answered = (yield* send(found(secret))).status
      yield* TestDatabase.as("owner", (sql) => sql`ALTER TABLE gone RENAME TO client_secrets`)
      assert.strictEqual(answer.status, 200)
      assert.notInclude(answer.text, "true_positive")
      assert.isAtLeast(answered, 500)
    }))

  it.effect("is refused with one answer, unread, unless its signature is right", () =>
    Effect.gen(function*() {
      const send = yield* sender
      const reporter = yield* Reporter
      const app = yield* TestServer.approvedApp()
      const body = found(app.secret)
      const refused = [
        yield* send(body, { signature: reporter.sign(`${body} `) }),
        yield* send(body, { signature: "" }),
        yield* send(body, { key: "two" }),
        yield* send("no report at all", { signature: "AAAA" })
      ]
      for (const { status, text } of refused) assert.deepStrictEqual([status, text], [401, ""])
      assert.strictEqual((yield* app.exchange(yield* app.code())).status, 200)
      // Keys that there are not are asked for once a minute.
      const asked = reporter.asked
      yield* Effect.forEach(Array.from({ length: 3 }), () => send(body, { key: "three" }))
      assert.isAtMost(reporter.asked - asked, 1)
    }))

  it.effect("is refused when it is none, or too much", () =>
    Effect.gen(function*() {
      const send = yield* sender
      assert.strictEqual((yield* send("{}")).status, 400)
      assert.strictEqual((yield* send(`[{"url":"no token"}]`)).status, 400)
      assert.strictEqual((yield* send(found(...Array.from({ length: 5_001 }, () => "")))).status, 400)
      assert.strictEqual((yield* send(found("x".repeat(1_100_000)))).status, 413)
      assert.deepStrictEqual((yield* send("[]")).text, "[]")
    }))

  it.effect("is refused without a look after too many wrong signatures from one address", () =>
    Effect.gen(function*() {
      const send = yield* sender
      yield* TestClock.adjust("1 hour")
      const body = found("ghp_notOneOfOurs")
      yield* Effect.forEach(Array.from({ length: 20 }), () => send(body, { signature: "AAAA" }))
      const answer = yield* send(body)
      assert.strictEqual(answer.status, 429)
      assert.isNotNull(answer.headers.get("retry-after"))
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* send(body)).status, 200)
    }))
})

layer(TestServer.layer())("Without SECRET_SCANNING_KEYS_URL", (it) => {
  it.effect("there is no such address", () =>
    Effect.gen(function*() {
      const { ask } = yield* TestServer.serverClient
      assert.strictEqual((yield* ask(path, { method: "POST", body: "[]" })).status, 404)
    }))
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, References } from "effect"
import { HttpServer } from "effect/http"
import { ApiKeys } from "../../src/core/accounts/ApiKeys.ts"
import { SetupLinks } from "../../src/core/accounts/SetupLinks.ts"
import * as Testing from "../../src/testing.ts"
import { newClient } from "../core/clients/Scenario.ts"
import { verifier } from "../core/tokens/Fixture.ts"
import { slotkeyProcess } from "../support/Cli.ts"
import { eventually } from "../support/Eventually.ts"
import { newAccount, password } from "../support/LiveServer.ts"
import * as ServerProcess from "../support/ServerProcess.ts"
import * as TestCollector from "../support/TestCollector.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { approvedApp, form } from "../support/TestServer.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import * as TestWebhook from "../support/TestWebhook.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const masterKey = Buffer.alloc(32, 7).toString("base64url")
const webhookSecret = "a secret of the webhook"
const collectorKey = "a key of the collector"

/** A trace that another process began. */
const outside = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }
const traceparent = `00-${outside.traceId}-${outside.spanId}-01`

type Span = TestCollector.ReceivedSpan

/** The span and those that it is in, from the inside out. */
const chain = (spans: ReadonlyArray<Span>, span: Span): ReadonlyArray<Span> => {
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId)
  return parent === undefined ? [span] : [span, ...chain(spans, parent)]
}

const namesOf = (spans: ReadonlyArray<Span>) => spans.map(({ name, service }) => `${service}: ${name}`)

describe.skipIf(TestPostgres.missing !== undefined)("A collector of traces", () => {
  it.live(
    "gets an exchange, a refresh, and a decision down to its mail, each as one trace without any secret",
    () =>
      Effect.gen(function*() {
        const postgres = yield* TestPostgres.make
        const collector = yield* TestCollector.make
        const smtp = yield* TestSmtp.make
        const webhook = yield* TestWebhook.make
        const env = {
          DATABASE_URL: postgres.url,
          MASTER_KEY: masterKey,
          SMTP_URL: smtp.url,
          REVIEW_WEBHOOK_URL: webhook.url,
          REVIEW_WEBHOOK_SECRET: webhookSecret,
          OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${encodeURIComponent(collectorKey)}`,
          OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
          OTEL_BSP_SCHEDULE_DELAY: "5000"
        }
        const server = yield* ServerProcess.start(env)
        const worker = yield* WorkerProcess.start(env)
        assert.include(server.output(), "Without effect here: OTEL_BSP_SCHEDULE_DELAY")
        const send = (path: string, init: RequestInit = {}) =>
          Effect.promise(async () => {
            const response = await fetch(`${server.url}${path}`, { redirect: "manual", ...init })
            const text = await response.text()
            const json: Record<string, unknown> = text.startsWith("{") ? JSON.parse(text) : {}
            return { status: response.status, text, json, cookies: response.headers.getSetCookie() }
          })
        const post = (path: string, fields: Record<string, string | undefined>, headers: Record<string, string> = {}) =>
          send(path, { method: "POST", body: form(fields), headers })
        const spanOf = (name: string, more: (span: Span) => boolean = () => true) =>
          collector.received((span) => span.name === name && more(span))

        yield* Effect.gen(function*() {
          const setupLink = Redacted.value(Option.getOrThrow(yield* Effect.flatMap(SetupLinks, ({ mint }) => mint)))
          const app = yield* approvedApp()
          const owner = yield* newAccount()
          const admin = yield* newAccount("admin")
          const { key } = yield* Effect.flatMap(ApiKeys, (keys) => keys.create(admin.id, "a test", admin.id))
          const apiKey = Redacted.value(key)

          for (const url of [server.operatorUrl, worker.url]) {
            yield* eventually(Effect.promise(() => fetch(`${url}/readyz`).then(({ ok }) => ok, () => false)))
          }

          // An exchange: the statement is in the batch, the batch in the trace of the request.
          const code = yield* app.code()
          const exchanged = yield* post("/v2/auth/oauth2/token", app.exchangeOf(code))
          assert.strictEqual(exchanged.status, 200, exchanged.text)
          const request = yield* spanOf("POST /v2/auth/oauth2/token")
          assert.strictEqual(request.parentSpanId, undefined)
          assert.deepInclude(request.attributes, {
            "http.request.method": "POST",
            "http.route": "/v2/auth/oauth2/token",
            "http.response.status_code": 200
          })
          const redeem = yield* spanOf("Grants.redeem")
          const batch = yield* spanOf("Grants.redeem batch")
          const statement = yield* collector.received(({ parentSpanId }) => parentSpanId === batch.spanId)
          assert.deepStrictEqual(
            namesOf(chain(collector.spans, statement)),
            ["WITH", "Grants.redeem batch", "Grants.redeem", "POST /v2/auth/oauth2/token"].map((name) =>
              `slotkey: ${name}`
            )
          )
          assert.include(String(statement.attributes["db.query.text"]), "$1")
          const linked = ({ spanId, traceId }: Span) => [{ spanId, traceId }]
          const bare = (links: Span["links"]) => links.map(({ spanId, traceId }) => ({ spanId, traceId }))
          assert.deepStrictEqual(bare(redeem.links), linked(batch))
          assert.deepStrictEqual(bare(batch.links), linked(redeem))

          // A refresh, in a trace that the client began.
          const refreshed = yield* post(
            "/v2/auth/oauth2/token",
            app.refreshOf(exchanged.json["refresh_token"]),
            { traceparent }
          )
          assert.strictEqual(refreshed.status, 200, refreshed.text)
          const rotate = yield* spanOf("Grants.rotate")
          const [, continued] = chain(collector.spans, rotate)
          assert.strictEqual(rotate.traceId, outside.traceId)
          assert.strictEqual(continued?.parentSpanId, outside.spanId)

          // A decision, over the management API, to the mail of the owner and to the webhook.
          const { client } = yield* newClient(owner.id)
          const approved = yield* send(`/v2/admin/oauth-clients/${client.id}/approve`, {
            method: "POST",
            headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
            body: JSON.stringify({ version: client.version })
          })
          assert.strictEqual(approved.status, 200, approved.text)
          yield* eventually(Effect.sync(() => smtp.received.some(({ to }) => to === owner.email)))
          const decision = yield* spanOf("POST /v2/admin/oauth-clients/:id/approve")
          const mail = yield* spanOf("Mailer.send", ({ traceId }) => traceId === decision.traceId)
          yield* spanOf("process review-notices", ({ traceId }) => traceId === decision.traceId)
          const way = chain(collector.spans, mail)
          assert.deepStrictEqual(
            namesOf(way).filter((name) => /Mailer|process|send |publish|POST/.test(name)),
            [
              "slotkey-worker: Mailer.send",
              "slotkey-worker: process review-notices",
              "slotkey-worker: send review-notices",
              "slotkey: Outbox.publish",
              "slotkey: POST /v2/admin/oauth-clients/:id/approve"
            ]
          )
          assert.strictEqual(way.at(-1)?.spanId, decision.spanId)
          const called = yield* spanOf("ReviewWebhook.send", ({ traceId }) => traceId === decision.traceId)
          const [event] = webhook.events.filter(({ headers }) => headers["traceparent"]?.includes(decision.traceId))
          assert.strictEqual(event?.headers["traceparent"], `00-${called.traceId}-${called.spanId}-01`)

          // What people and programs send that is secret, in the right and in wrong places.
          const signedIn = yield* post(
            "/sign-in",
            { email: admin.email, password },
            { origin: server.url, "sec-fetch-site": "same-origin" }
          )
          const cookie = /=([^;]+)/.exec(signedIn.cookies.join())?.[1] ?? ""
          assert.match(cookie, /^slk_/)
          const state = "a-state-that-is-nobodys-business"
          yield* send(`/auth/oauth2/authorize?client_id=${app.client.id}&state=${state}`, {
            headers: { cookie: `slotkey=${cookie}` }
          })
          yield* send(setupLink.slice(setupLink.indexOf("/setup")))
          yield* send(`/no-such-place/${exchanged.json["access_token"]}`)
          yield* send("/v2/me", { headers: { authorization: `Bearer ${refreshed.json["access_token"]}` } })
          yield* collector.received(({ attributes }) => attributes["http.route"] === "/v2/me")

          // A command.
          const listed = yield* slotkeyProcess(["accounts", "list"], { env: { ...env, LOG_LEVEL: "warn" } })
          assert.deepStrictEqual([listed.code, listed.stderr], [0, ""])
          const command = yield* spanOf("slotkey accounts list")
          assert.strictEqual(command.service, "slotkey-cli")
          assert.isTrue(collector.spans.some((span) => span.traceId === command.traceId && span.name === "SELECT"))

          const text = collector.requests.map(({ body }) => body).join("\n")
          const [message = ""] = smtp.received.filter(({ to }) => to === owner.email).map(({ message }) => message)
          const mailBody = message.slice(message.indexOf("\r\n\r\n")).split(/\r?\n/).filter((line) => line.length > 15)
          assert.isAbove(mailBody.length, 1)
          for (
            const secret of [
              code,
              app.secret,
              String(exchanged.json["access_token"]),
              String(exchanged.json["refresh_token"]),
              String(refreshed.json["access_token"]),
              String(refreshed.json["refresh_token"]),
              verifier,
              password,
              encodeURIComponent(password),
              cookie,
              apiKey,
              state,
              new URL(setupLink).searchParams.get("token") ?? "",
              masterKey,
              webhookSecret,
              collectorKey,
              owner.email,
              ...mailBody
            ]
          ) {
            assert.isAbove(secret.length, 10)
            assert.isFalse(text.includes(secret), secret)
          }
          for (const { headers, path } of collector.requests) {
            assert.strictEqual(path, "/otlp/v1/traces")
            assert.strictEqual(headers["x-api-key"], collectorKey)
          }
          assert.include(text, "deployment.environment.name")
          assert.isFalse(text.includes("/readyz"), "probes are traced")

          // The collector falls silent: requests go on, and a stop does not wait for it.
          collector.mood = "stalls"
          assert.strictEqual((yield* post("/v2/auth/oauth2/token", {})).status, 400)
        }).pipe(Effect.provide(
          Layer.mergeAll(Testing.layer({ ...env, BASE_URL: server.url }), HttpServer.layerServices).pipe(
            Layer.provideMerge(TestDatabase.at(postgres.url)),
            Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
          )
        ))

        assert.strictEqual((yield* worker.stop).code, 130)
        assert.strictEqual((yield* server.stop).code, 130)
      }),
    180_000
  )
})

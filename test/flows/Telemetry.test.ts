import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { ResourceServers } from "../../src/core/tokens/ResourceServers.ts"
import { newClient } from "../core/clients/Scenario.ts"
import { verifier } from "../core/tokens/Fixture.ts"
import { slotkeyProcess } from "../support/Cli.ts"
import { eventually } from "../support/Eventually.ts"
import { newAccount, password } from "../support/LiveServer.ts"
import { layer as observed, missing, ObservedProcesses } from "../support/ObservedProcesses.ts"
import type { ReceivedSpan } from "../support/TestCollector.ts"
import { approvedApp, basic, form } from "../support/TestServer.ts"

type Fields = Readonly<Record<string, string | undefined>>

/** A trace that another process began. */
const outside = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }
const traceparent = `00-${outside.traceId}-${outside.spanId}-01`

/** Span and those that it is in, from the inside out. */
const chain = (spans: ReadonlyArray<ReceivedSpan>, span: ReceivedSpan): ReadonlyArray<ReceivedSpan> => {
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId)
  return parent === undefined ? [span] : [span, ...chain(spans, parent)]
}

const namesOf = (spans: ReadonlyArray<ReceivedSpan>) => spans.map(({ name, service }) => `${service}: ${name}`)

const send = Effect.fnUntraced(function*(path: string, init: RequestInit = {}) {
  const { server } = yield* ObservedProcesses
  return yield* Effect.promise(async () => {
    const response = await fetch(`${server.url}${path}`, { redirect: "manual", ...init })
    const text = await response.text()
    const json: Record<string, unknown> = text.startsWith("{") ? JSON.parse(text) : {}
    return { status: response.status, text, json, cookies: response.headers.getSetCookie() }
  })
})

const post = (path: string, fields: Fields, headers: Record<string, string> = {}) =>
  send(path, { method: "POST", body: form(fields), headers })

const token = (fields: Fields, headers: Record<string, string> = {}) => post("/v2/auth/oauth2/token", fields, headers)

const spanOf = (name: string, more: (span: ReceivedSpan) => boolean = () => true) =>
  Effect.flatMap(ObservedProcesses, ({ collector }) => collector.received((span) => span.name === name && more(span)))

/** A new API key of an administrator. */
const adminKey = Effect.gen(function*() {
  const admin = yield* newAccount("admin")
  const { key } = yield* Effect.flatMap(ApiKeys, (keys) => keys.create(admin.id, "a test", admin.id))
  return { admin, apiKey: Redacted.value(key) }
})

/** Approves the new app of a new owner over the management API, which is mailed to the owner at once. */
const approve = Effect.fnUntraced(function*(apiKey: string) {
  const owner = yield* newAccount()
  const { client } = yield* newClient(owner.id)
  const approved = yield* send(`/v2/admin/oauth-clients/${client.id}/approve`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ version: client.version })
  })
  assert.strictEqual(approved.status, 200, approved.text)
  return owner
})

/** Same, with the mail. */
const approveAndMail = Effect.fnUntraced(function*(apiKey: string) {
  const { smtp } = yield* ObservedProcesses
  const owner = yield* approve(apiKey)
  const mail = Effect.sync(() => smtp.received.find(({ to }) => to === owner.email)?.message)
  yield* eventually(Effect.map(mail, (message) => message !== undefined))
  return { owner, mail: (yield* mail) ?? "" }
})

if (missing !== undefined) test.skip(missing)
else {
  layer(observed, { excludeTestServices: true, timeout: 120_000 })("A server and a worker process", (it) => {
    describe("send the collector one trace", () => {
      it.effect("of an exchange, with the statement of its batch", () =>
        Effect.gen(function*() {
          const { collector, server, worker } = yield* ObservedProcesses
          assert.include(server.output(), "Without effect here: OTEL_BSP_SCHEDULE_DELAY")
          for (const url of [server.operatorUrl, worker.url]) {
            yield* eventually(Effect.promise(() => fetch(`${url}/readyz`).then(({ ok }) => ok, () => false)))
          }
          const app = yield* approvedApp()
          const exchanged = yield* token(app.exchangeOf(yield* app.code()))
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
          const linked = ({ spanId, traceId }: ReceivedSpan) => [{ spanId, traceId }]
          const bare = (links: ReceivedSpan["links"]) => links.map(({ spanId, traceId }) => ({ spanId, traceId }))
          assert.deepStrictEqual(bare(redeem.links), linked(batch))
          assert.deepStrictEqual(bare(batch.links), linked(redeem))
        }))

      it.effect("of a refresh, which the client began", () =>
        Effect.gen(function*() {
          const { collector } = yield* ObservedProcesses
          const app = yield* approvedApp()
          const exchanged = yield* token(app.exchangeOf(yield* app.code()))
          const refreshed = yield* token(app.refreshOf(exchanged.json["refresh_token"]), { traceparent })
          assert.strictEqual(refreshed.status, 200, refreshed.text)
          const rotate = yield* spanOf("Grants.rotate")
          assert.strictEqual(rotate.traceId, outside.traceId)
          yield* spanOf("POST /v2/auth/oauth2/token", ({ parentSpanId }) => parentSpanId === outside.spanId)
          const [, continued] = chain(collector.spans, rotate)
          assert.strictEqual(continued?.parentSpanId, outside.spanId)
        }))

      it.effect("of a decision, from the management API down to the owner's mail and to the webhook", () =>
        Effect.gen(function*() {
          const { collector, webhook } = yield* ObservedProcesses
          yield* approveAndMail((yield* adminKey).apiKey)
          const decision = yield* spanOf("POST /v2/admin/oauth-clients/:id/approve")
          const isOfIt = ({ traceId }: ReceivedSpan) => traceId === decision.traceId
          const mail = yield* spanOf("Mailer.send", isOfIt)
          yield* spanOf("process review-notices", isOfIt)
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
          const called = yield* spanOf("ReviewWebhook.send", isOfIt)
          const [event] = webhook.events.filter(({ headers }) => headers["traceparent"]?.includes(decision.traceId))
          assert.strictEqual(event?.headers["traceparent"], `00-${called.traceId}-${called.spanId}-01`)
        }))

      it.effect("of a command", () =>
        Effect.gen(function*() {
          const { collector, env } = yield* ObservedProcesses
          const listed = yield* slotkeyProcess(["accounts", "list"], { env: { ...env, LOG_LEVEL: "warn" } })
          assert.deepStrictEqual([listed.code, listed.stderr], [0, ""])
          const command = yield* spanOf("slotkey accounts list")
          assert.strictEqual(command.service, "slotkey-cli")
          assert.isTrue(collector.spans.some((span) => span.traceId === command.traceId && span.name === "SELECT"))
        }))
    })

    it.effect("show no secret in a log, a trace, a metric or an error, wherever it was sent and whatever fails", () =>
      Effect.gen(function*() {
        const { collector, env, postgres, redis, server, settings, setupLink, smtp, webhook, worker } =
          yield* ObservedProcesses
        const { admin, apiKey } = yield* adminKey
        const app = yield* approvedApp()
        const code = yield* app.code()
        const exchanged = yield* token(app.exchangeOf(code))
        const refreshed = yield* token(app.refreshOf(exchanged.json["refresh_token"]))
        const { mail, owner } = yield* approveAndMail(apiKey)
        const { credential } = yield* Effect.flatMap(ResourceServers, (servers) => servers.create("Bookings"))
        const signedIn = yield* post(
          "/sign-in",
          { email: admin.email, password },
          { origin: server.url, "sec-fetch-site": "same-origin" }
        )
        const cookie = /=([^;]+)/.exec(signedIn.cookies.join())?.[1] ?? ""
        const account = yield* send("/account", { headers: { cookie: `slotkey=${cookie}` } })
        const sent: Readonly<Record<string, string>> = {
          "code": code,
          "verifier of PKCE": verifier,
          "secret of an app": app.secret,
          "secret of an app as Basic": basic(app.client.id, app.secret).authorization.replace("Basic ", ""),
          "access token": String(exchanged.json["access_token"]),
          "refresh token": String(exchanged.json["refresh_token"]),
          "refresh token after a refresh": String(refreshed.json["refresh_token"]),
          "credential of a resource server": Redacted.value(credential),
          "API key": apiKey,
          "password": password,
          "wrong password": "hunter2-is-not-my-password",
          "session cookie": cookie,
          "CSRF token": /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? "",
          "set-up link": setupLink.searchParams.get("token") ?? "",
          "state": "a-state-that-is-nobodys-business"
        }
        const secrets: Readonly<Record<string, string>> = {
          ...sent,
          ...settings,
          "access token after a refresh": String(refreshed.json["access_token"]),
          "address of the owner": owner.email,
          ...Object.fromEntries(bodyOf(mail).map((line, i) => [`line ${i} of a mail`, line]))
        }

        const errors: Array<string> = []
        const note = Effect.map(({ status, text }: { readonly status: number; readonly text: string }) => {
          if (status >= 400) errors.push(text)
        })
        const everywhere = (secret: string) => {
          const authorized = { authorization: `Bearer ${apiKey}` }
          const encoded = encodeURIComponent(secret)
          const authenticated = { client_id: app.client.id, client_secret: app.secret }
          return Effect.all([
            Effect.forEach(
              [`/${encoded}`, `/v2/${encoded}`, `/review/${encoded}`, `/v2/oauth-clients/${encoded}`],
              (path) => send(path, { headers: authorized })
            ),
            send(`/v2/api-keys/${encoded}`, { method: "DELETE", headers: authorized }),
            note(send(`/setup?token=${encoded}`)),
            note(send(`/v2/me?access_token=${encoded}`)),
            note(send(`/v2/none?token=${encoded}`)),
            note(send(`/none?token=${encoded}`)),
            note(send(`/auth/oauth2/authorize?client_id=${app.client.id}&state=${encoded}&code=${encoded}`)),
            note(send("/v2/me", { headers: { authorization: `Bearer ${secret}` } })),
            note(send("/account", { headers: { cookie: `slotkey=${secret}` } })),
            note(send("/v2/oauth-clients", { method: "POST", headers: authorized, body: JSON.stringify(secret) })),
            note(token({ grant_type: secret, client_id: secret, client_secret: secret })),
            note(token({ ...app.exchangeOf(secret), code_verifier: secret, redirect_uri: secret })),
            note(token({ ...app.refreshOf(secret), scope: secret })),
            note(token({ ...app.refreshOf("none"), client_secret: secret })),
            note(post("/v2/auth/oauth2/introspect", { ...authenticated, token: secret, token_type_hint: secret })),
            note(post("/v2/auth/oauth2/revoke", { ...authenticated, token: secret }))
          ])
        }
        yield* Effect.forEach(Object.values(sent), everywhere, { concurrency: 4 })
        for (const guess of [sent["wrong password"], apiKey]) {
          yield* note(post("/sign-in", { email: "nobody@example.com", password: guess }, { origin: server.url }))
          // The page shows what was sent as an address again.
          yield* post("/sign-in", { email: guess, password: guess }, { origin: server.url })
        }
        const metrics = yield* Effect.forEach(
          [server.operatorUrl, worker.url].flatMap((url) =>
            ["text/plain", "application/openmetrics-text"].map((accept) => ({ url, accept }))
          ),
          ({ accept, url }) =>
            Effect.promise(async () => (await fetch(`${url}/metrics`, { headers: { accept } })).text())
        )

        // Everything that the processes need fails while they need it.
        smtp.mood = "refuses"
        webhook.status = 500
        yield* approve(apiKey)
        yield* eventually(Effect.sync(() => worker.output().includes("The webhook answered 500")))
        // The owner is mailed after it.
        webhook.status = 204
        yield* eventually(Effect.sync(() => worker.output().includes("try again later")))
        const askDatabase = Effect.all([
          note(token(app.exchangeOf(code))),
          note(token(app.refreshOf(refreshed.json["refresh_token"]))),
          note(send(`/review/${apiKey}`, { headers: { cookie: `slotkey=${cookie}` } })),
          note(send("/v2/oauth-clients", { headers: { authorization: `Bearer ${apiKey}` } }))
        ])
        yield* postgres.administer("ALTER TABLE clients RENAME TO lost")
        yield* askDatabase
        yield* postgres.administer("ALTER TABLE lost RENAME TO clients")
        yield* redis.kill
        yield* postgres.kill
        yield* askDatabase
        for (const { output } of [server, worker]) {
          yield* eventually(Effect.sync(() => output().includes(`"outage":"database away"`)))
        }
        let health = ""
        // Its last check may be one from before the outage.
        yield* eventually(Effect.promise(async () => {
          health = await (await fetch(`${server.operatorUrl}/readyz`)).text()
          return health.includes("The database cannot be reached.")
        }))
        const command = yield* slotkeyProcess(["accounts", "list"], { env })
        assert.strictEqual(command.code, 1)

        const shown: Readonly<Record<string, string>> = {
          "log of the server": server.output(),
          "log of the worker": worker.output(),
          "output of a command": command.stdout + command.stderr,
          "traces": collector.requests.map(({ body }) => body).join("\n"),
          "metrics": metrics.join("\n"),
          "health": health,
          "errors": errors.join("\n")
        }
        const samples = {
          "log of the server": [
            `"level":"DEBUG"`,
            `"http_route":"/review/:id"`,
            "client.wrong_secret",
            "A request failed"
          ],
          "log of the worker": [`"level":"DEBUG"`, "The webhook answered 500", "try again later"],
          "output of a command": ["database"],
          "traces": ["Grants.redeem", "deployment.environment.name"],
          "metrics": ["slotkey_requests_refused_total", "slotkey_job_attempts_total", "# EOF"],
          "health": ["The database cannot be reached."],
          "errors": ["unsupported_grant_type", "internal_error", "temporarily_unavailable", "<title>"]
        }
        for (const [kind, secret] of Object.entries(secrets)) assert.isAbove(secret.length, 10, kind)
        for (const [where, expected] of Object.entries(samples)) {
          for (const text of expected) assert.include(shown[where], text, where)
        }
        const leaks = Object.entries(secrets).flatMap(([kind, secret]) =>
          Object.entries(shown).flatMap(([where, text]) =>
            text.includes(secret) || text.includes(encodeURIComponent(secret)) ? [`${kind} in ${where}`] : []
          )
        )
        assert.deepStrictEqual(leaks, [])
        for (const { headers, path } of collector.requests) {
          assert.strictEqual(path, "/otlp/v1/traces")
          assert.strictEqual(headers["x-api-key"], settings["key of the collector"])
        }
        assert.notInclude(shown["traces"], "/readyz", "probes are traced")
      }))

    it.effect("answer and stop while the collector is silent", () =>
      Effect.gen(function*() {
        const { collector, server } = yield* ObservedProcesses
        collector.mood = "stalls"
        assert.strictEqual((yield* token({})).status, 400)
        assert.strictEqual((yield* server.stop).code, 0)
      }))
  })
}

const bodyOf = (mail: string): ReadonlyArray<string> =>
  mail.slice(mail.indexOf("\r\n\r\n")).split(/\r?\n/).filter((line) => line.length > 15)

import { assert, describe, it } from "@effect/vitest"
import { Console, Deferred, Effect, References, Schema } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Door from "../../src/testing/server/Door.ts"
import { run } from "../../src/testing/server/Process.ts"
import { crmCatalogue } from "../support/CrmCatalogue.ts"
import * as Script from "../support/Script.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

const Party = Schema.Struct({ id: Schema.String, email: Schema.String })
const Line = Schema.fromJsonString(Schema.Struct({
  issuer: Schema.String,
  authorizationEndpoint: Schema.String,
  client: Schema.Struct({ clientId: Schema.String, clientSecret: Schema.String, redirectUri: Schema.String }),
  publicClient: Schema.Struct({ clientId: Schema.String }),
  user: Party,
  administrator: Schema.Struct({ ...Party.fields, apiKey: Schema.String }),
  credential: Schema.String,
  control: Schema.Struct({ url: Schema.String, token: Schema.String })
}))

/** A test server in the process of the test, which ends with its scope. */
const startedWith = Effect.fnUntraced(function*(options: { readonly catalogue?: string }) {
  const printed = yield* Deferred.make<string>()
  const console: Console.Console = Object.assign(Object.create(globalThis.console), {
    log: (line: string) => Deferred.doneUnsafe(printed, Effect.succeed(line))
  })
  yield* Effect.forkScoped(
    run({ port: 0, stdin: false, ...options }).pipe(
      Effect.provideService(Console.Console, console),
      Effect.provideService(References.MinimumLogLevel, "Error")
    )
  )
  const line = yield* Schema.decodeEffect(Line)(yield* Deferred.await(printed))
  const send = (path: string, init: RequestInit = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`${line.control.url}/${path}`, {
        method: "POST",
        ...init,
        headers: { authorization: `Bearer ${line.control.token}`, ...init.headers }
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    })
  const command = (name: string, body: object = {}) =>
    Effect.map(send(name, { body: JSON.stringify(body) }), ({ body }) => body)
  const call = (path: string, token: string) =>
    Effect.promise(async () =>
      (await fetch(`${line.issuer}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
    )
  /** Asks about a token as an API does. */
  const introspect = (token: string) =>
    Effect.promise(async () => {
      const response = await fetch(`${line.issuer}/v2/auth/oauth2/introspect`, {
        method: "POST",
        headers: { authorization: `Bearer ${line.credential}` },
        body: new URLSearchParams({ token })
      })
      return response.json()
    })
  return { ...line, send, command, call, introspect }
})

const started = startedWith({})

describe("slotkey test-server", () => {
  it.live("serves the catalogue of another API", () =>
    Effect.gen(function*() {
      const catalogue = join(yield* temporaryFolder, "crm.json")
      writeFileSync(catalogue, JSON.stringify(crmCatalogue))
      const { call, command, issuer } = yield* startedWith({ catalogue })
      const metadata = yield* Effect.promise(async () =>
        (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json()
      )
      assert.lengthOf(metadata.scopes_supported, 12)
      const { accessToken, scopes } = yield* command("tokens")
      assert.deepStrictEqual(scopes, ["account.read", "contacts.read"])
      assert.strictEqual(yield* call("/v2/me", accessToken), 200)
      assert.deepStrictEqual((yield* command("app", { scopes: ["BOOKING_READ"] })).error.details, [
        { path: "scopes.0", message: "is not a scope of the catalogue" }
      ])
    }))

  it.live("does what tests of any language tell it over HTTP, and goes back to its start", () =>
    Effect.gen(function*() {
      const { administrator, authorizationEndpoint, call, client, command, introspect, publicClient, user } =
        yield* started
      for (const [state, status] of Object.entries({ valid: 200, expired: 401, revoked: 401, stolen: 401 })) {
        const { accessToken } = yield* command("tokens", { state, app: publicClient.clientId })
        assert.strictEqual(yield* call("/v2/me", accessToken), status, state)
      }
      const { accessToken } = yield* command("tokens")
      assert.include(yield* introspect(accessToken), { active: true, client_id: client.clientId })
      yield* command("faults", { databaseAway: true })
      assert.strictEqual(yield* call("/v2/me", accessToken), 503)
      yield* command("faults")
      assert.strictEqual(yield* call("/v2/me", accessToken), 200)
      yield* command("advance", { duration: "31 minutes" })
      assert.strictEqual(yield* call("/v2/me", accessToken), 401)
      yield* command("run-scheduled-jobs")

      const { clientId, owner } = yield* command("app", { status: "pending", name: "Waiting" })
      assert.strictEqual(owner.id, user.id)
      assert.deepStrictEqual((yield* command("jobs")).length, 1)
      yield* command("decide", { app: clientId, decision: "reject", reason: "Too vague." })
      assert.include((yield* command("mails")).at(-1).text, "Too vague.")
      assert.deepStrictEqual((yield* command("webhooks")).map(({ type }: { type: string }) => type), [
        "client.submitted",
        "client.rejected"
      ])

      const query = new URLSearchParams({
        response_type: "code",
        client_id: client.clientId,
        redirect_uri: client.redirectUri,
        scope: "PROFILE_READ",
        state: "ours"
      })
      const stranger = yield* command("user")
      const consent = { url: `${authorizationEndpoint}?${query}`, user: stranger.id }
      const denied = yield* command("consent", { ...consent, decision: "deny" })
      assert.deepInclude(denied, { error: "access_denied", state: "ours" })
      assert.match((yield* command("consent", consent)).code, /^slk_code_/)

      yield* command("reset")
      assert.deepStrictEqual(yield* command("mails"), [])
      assert.strictEqual(yield* call("/v2/admin/users", administrator.apiKey), 200)
      const { accessToken: next } = yield* command("tokens")
      assert.strictEqual(yield* call("/v2/me", next), 200)
      assert.include(yield* introspect(next), { active: true, sub: user.id })
      assert.strictEqual((yield* command("tokens", { app: clientId })).error.code, "app_not_found")
    }))

  it.live("says what is wrong with a command", () =>
    Effect.gen(function*() {
      const { send } = yield* started
      const refusals = [
        [401, "control_token_missing", yield* send("mails", { headers: { authorization: "Bearer wrong" } })],
        [404, "command_not_found", yield* send("everything")],
        [405, "method_not_allowed", yield* send("mails", { method: "PUT" })],
        [400, "malformed_request", yield* send("mails", { body: "{" })],
        [400, "invalid_input", yield* send("user", { body: `{"mail":"ada@example.com"}` })],
        [400, "invalid_input", yield* send("advance", { body: `{"duration":"-31 minutes"}` })],
        [400, "invalid_input", yield* send("faults", { body: `{"tokenDelay":"Infinity"}` })],
        [400, "cannot_be_done", yield* send("user", { body: `{"email":"nobody"}` })],
        [404, "user_not_found", yield* send("session", { body: `{"user":"nobody"}` })],
        [413, "payload_too_large", yield* send("user", { body: " ".repeat(70_000) })]
      ] as const
      for (const [status, code, { body, status: answered }] of refusals) {
        assert.deepStrictEqual([answered, body.error.code], [status, code])
      }
      const scope = yield* send("tokens", { body: `{"scopes":["booking_read"]}` })
      assert.deepStrictEqual(scope.body.error.details, [
        { path: "scopes.0", message: "is not a scope of the catalogue" }
      ])
      const [[, , unauthorized], , [, , wrongMethod]] = refusals
      assert.strictEqual(unauthorized.headers.get("www-authenticate"), "Bearer")
      assert.strictEqual(wrongMethod.headers.get("allow"), "POST")
    }))

  it.live("answers 503 at its port until it is ready, for programs that wait for that", () =>
    Effect.gen(function*() {
      const { answer, url } = yield* Door.open(0)
      const status = Effect.promise(async () => (await fetch(url)).status)
      assert.strictEqual(yield* status, 503)
      answer((_request, response) => void response.end())
      assert.strictEqual(yield* status, 200)
    }))

  it.effect("runs in no process of production", () =>
    Effect.gen(function*() {
      process.env["NODE_ENV"] = "production"
      const refused = yield* Effect.flip(run({ port: 0, stdin: false }))
      assert.strictEqual(refused.message, "A test server is not for production (NODE_ENV)")
    }).pipe(Effect.ensuring(Effect.sync(() => void (process.env["NODE_ENV"] = "test")))))

  describe.skipIf(!Script.isAvailable(Script.python, "--version"))("Python", () => {
    it.live("runs what docs/testing.md shows, and the server ends with its tests", () =>
      Effect.gen(function*() {
        const example = readFileSync(new URL("./examples/test_slotkey.py", import.meta.url), "utf8")
        const command = [process.execPath, "--require=./src/start.cjs", "src/cli.ts", "test-server", "--stdin"]
        const code = example.replace(`["npx", "slotkey", "test-server", "--stdin"]`, JSON.stringify(command))
        assert.notStrictEqual(code, example)
        const { rest } = yield* Script.start(Script.python, ["-c", code])
        yield* rest
      }))
  })
})

import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Schema, type Scope, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { AuthorizationCode } from "simple-oauth2"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { LegacyImport } from "../../src/core/legacy/import/LegacyImport.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { ShiftedClock } from "../../src/testing/ShiftedClock.ts"
import { decide } from "../support/ConsentPage.ts"
import { eventually } from "../support/Eventually.ts"
import * as Live from "../support/LiveServer.ts"
import * as Script from "../support/Script.ts"

const Journey = Live.layer().pipe(Layer.provideMerge(ShiftedClock.layer))

const redirectUri = "https://old.example/callback"
const secret = "old+secret/of%20before=="

/** An installed app that keeps the refresh token that it got with a code, and none of an answer to a refresh. */
interface InstalledApp {
  /** Status of an API call with a refreshed access token, or the error of the refresh. */
  readonly refresh: Effect.Effect<string>
  readonly authorizationUrl: (scope: string) => Effect.Effect<string>
  /** Exchanges the code and answers the scopes. */
  readonly exchange: (callback: URL) => Effect.Effect<string>
}

type Make = (url: string, id: string, refreshToken: string) => Effect.Effect<InstalledApp, never, Scope.Scope>

/** Error of simple-oauth2 with the server's answer. */
const Refused = Schema.Struct({ data: Schema.Struct({ payload: Schema.Struct({ error: Schema.String }) }) })

const simpleOauth2: Make = (url, id, imported) =>
  Effect.sync(() => {
    let kept = imported
    const client = new AuthorizationCode({
      client: { id, secret },
      auth: { tokenHost: url, tokenPath: "/v2/auth/oauth2/token", authorizePath: "/auth/oauth2/authorize" },
      options: { credentialsEncodingMode: "loose" }
    })
    return {
      refresh: Effect.promise(async () => {
        try {
          const { token } = await client.createToken({ refresh_token: kept }).refresh()
          const { status } = await fetch(`${url}/v2/me`, {
            headers: { authorization: `Bearer ${String(token["access_token"])}` }
          })
          return String(status)
        } catch (error) {
          return Schema.decodeUnknownSync(Refused)(error).data.payload.error
        }
      }),
      authorizationUrl: (scope) =>
        Effect.sync(() => client.authorizeURL({ redirect_uri: redirectUri, scope, state: "s" })),
      exchange: (callback) =>
        Effect.promise(async () => {
          const code = callback.searchParams.get("code") ?? ""
          const { token } = await client.getToken({ code, redirect_uri: redirectUri })
          kept = String(token["refresh_token"])
          return String(token["scope"])
        })
    }
  })

const requestsOauthlib: Make = Effect.fnUntraced(function*(url, id, imported) {
  const { read, write } = yield* Script.pythonScript("requests_oauthlib_installed", [
    url,
    id,
    secret,
    redirectUri,
    imported
  ])
  const ask = (...command: ReadonlyArray<string>) => Effect.andThen(write(JSON.stringify(command)), read)
  return {
    refresh: ask("refresh", ""),
    authorizationUrl: (scope) => ask("authorize", scope),
    exchange: ({ href }) => ask("exchange", href)
  }
})

/** Calls the management API as this account and answers the status. */
const manage = Effect.fnUntraced(function*(account: Account, method: string, path: string, body?: object) {
  const sessions = yield* Sessions
  const { authUrl } = yield* AppConfig
  const token = Redacted.value(yield* sessions.start(account.id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const { status } = yield* Effect.promise(() =>
    fetch(`${authUrl}/v2/oauth-clients/${path}`, {
      method,
      headers: {
        cookie: `${cookieName({ authUrl })}=${token}`,
        "x-csrf-token": csrf,
        "content-type": "application/json",
        origin: authUrl
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  return status
})

const cutOver = Effect.fnUntraced(function*(make: Make) {
  const clock = yield* ShiftedClock
  const { url } = yield* Live.LiveServer
  const [owner, user] = [yield* Live.newAccount(), yield* Live.newAccount()]
  const id = `old-${crypto.randomUUID()}`
  const imported = `rt/${crypto.randomUUID()}+==`
  const record = {
    client_id: id,
    owner: owner.email,
    name: "Old Timer",
    redirect_uris: [redirectUri],
    secrets: [{ secret, algorithm: "clear" }],
    refresh_tokens: [{ token: imported, algorithm: "clear", user: user.email }]
  }
  yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(record)), "cli")
  const app = yield* make(url, id, imported)
  const passes = Effect.fnUntraced(function*(days: number) {
    yield* clock.forward(`${days} days`)
    assert.strictEqual(yield* app.refresh, "200")
  })
  const authorize = (account: Account) =>
    Effect.flatMap(app.authorizationUrl("PROFILE_READ"), (request) => decide(account, request, "allow"))
  const save = manage(owner, "PATCH", id, { scopes: ["PROFILE_READ"] })

  // Two months pass in which nobody uses the app, more than GRANT_IDLE_LIFETIME, and its URL names scopes at last.
  for (const days of [0, 1, 61]) yield* passes(days)
  yield* authorize(yield* Live.newAccount())
  // The API calls so far show that the app needs the profile, which is saved; it is taken back and saved again.
  assert.strictEqual(yield* save, 200)
  yield* passes(1)
  assert.strictEqual(yield* manage(owner, "POST", `${id}/migration/undo`, {}), 200)
  yield* passes(1)
  assert.strictEqual(yield* save, 200)
  yield* passes(8)
  assert.strictEqual(yield* manage(owner, "POST", `${id}/migration/undo`, {}), 409)
  yield* passes(18)

  // After 90 days the user consents again, which ends the old grant.
  const callback = yield* authorize(user)
  assert.strictEqual(yield* app.refresh, "200")
  const superseded = yield* make(url, id, imported)
  assert.strictEqual(yield* app.exchange(callback), "PROFILE_READ")
  assert.strictEqual(yield* superseded.refresh, "invalid_grant")
  assert.strictEqual(yield* app.refresh, "200")
  // The new token rotates like all others (RFC 9700 §4.14.2): once its use is noted the app has to store the next one.
  const sql = yield* SqlClient.SqlClient
  const unnoted =
    sql`SELECT FROM grants WHERE client_id = ${id} AND user_id = ${user.id} AND used_generation < generation`
  yield* eventually(Effect.map(unnoted, (rows) => rows.length === 0))
  yield* clock.forward("1 hour")
  assert.strictEqual(yield* app.refresh, "invalid_grant")
})

layer(Journey, { excludeTestServices: true })(
  "An installed app that never stores a rotated token, for 90 days",
  (it) => {
    it.effect("of simple-oauth2 does not notice the cut-over", () => cutOver(simpleOauth2))

    describe.skipIf(!Script.isAvailable(Script.python, "-c", "import authlib, requests_oauthlib"))("Python", () => {
      it.effect("of requests-oauthlib does not notice the cut-over", () => cutOver(requestsOauthlib))
    })
  }
)

import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "node-html-parser"
import * as oidc from "openid-client"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { testPath } from "../../src/doors/parts/Paths.ts"
import { registration } from "../core/clients/Fixture.ts"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"

/** A browser of a signed-in user, which sends the forms of the pages that it has loaded. */
const browser = Effect.fnUntraced(function*({ id }: Account) {
  const { url } = yield* Live.LiveServer
  const sessions = yield* Sessions
  const token = Redacted.value(yield* sessions.start(id))
  const { csrf } = Option.getOrThrow(yield* sessions.find(token))
  const headers = { cookie: `slotkey=${token}` }
  const load = (path: string, init: RequestInit = {}) =>
    Effect.promise(async () => {
      const response = await fetch(new URL(path, url), { headers, ...init })
      return { status: response.status, main: parse(await response.text()).querySelector("main") ?? parse("") }
    })
  /** Sends the form of a page whose action ends so, with what is entered; answers the page that it leads to. */
  const send = Effect.fnUntraced(function*(page: string, end: string, entered: Record<string, string> = {}) {
    const { main } = yield* load(page)
    const form = main.querySelectorAll("form").find((one) => one.getAttribute("action")?.endsWith(end) === true)
    const fields = form?.querySelectorAll("input[type=hidden]").map((one) => [
      one.getAttribute("name") ?? "",
      one.getAttribute("value") ?? ""
    ])
    assert.isDefined(form, `${page} has a form for ${end}`)
    return yield* load(form?.getAttribute("action") ?? "", {
      method: "POST",
      headers: { ...headers, origin: url },
      body: new URLSearchParams({ ...Object.fromEntries(fields ?? []), ...entered })
    })
  })
  const callApi = (method: string, path: string, body?: object) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, "x-csrf-token": csrf, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, data: (await response.json()).data }
    })
  return { load, send, callApi }
})

/** What an app that its developer has just begun does with openid-client, on the machine of its user. */
const appOf = Effect.fnUntraced(function*(id: string, secret: string) {
  const { url } = yield* Live.LiveServer
  const config = yield* Effect.promise(() =>
    oidc.discovery(new URL(url), id, secret, oidc.ClientSecretBasic(), {
      algorithm: "oauth2",
      execute: [oidc.allowInsecureRequests]
    })
  )
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: "http://localhost:49152/callback",
    scope: "PROFILE_READ BOOKING_READ"
  })
  return {
    address,
    exchange: (callback: URL) => Effect.promise(() => oidc.authorizationCodeGrant(config, callback)),
    refresh: (token = "") =>
      Effect.promise(() => oidc.refreshTokenGrant(config, token).then(() => "ok", ({ error }) => String(error))),
    call: (accessToken: string) =>
      Effect.promise(async () => {
        const response = await fetch(`${url}/v2/me`, { headers: { authorization: `Bearer ${accessToken}` } })
        return response.status
      })
  }
})

layer(Live.layer(), { timeout: 60_000 })("A developer", (it) => {
  it.effect("has a first own token in six steps, the registration among them, without an administrator", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const steps: Array<string> = []
      const step = <A, E, R>(name: string, act: Effect.Effect<A, E, R>) =>
        Effect.tap(act, () => Effect.sync(() => steps.push(name)))

      const developer = yield* Live.newAccount()
      const { callApi, load, send } = yield* browser(developer)
      const { data: app } = yield* step("register", callApi("POST", "/v2/oauth-clients", registration))
      assert.strictEqual(app.status, "pending")
      const offered = yield* step("open the page of the test app", load(testPath(app.id)))
      assert.include(offered.main.textContent, "waiting for review")

      const { main } = yield* step("make it", send(testPath(app.id), "/test"))
      const [secret = "", id = ""] = main.querySelectorAll("code.secret").map(({ textContent }) => textContent)
      assert.notInclude((yield* load(testPath(app.id))).main.textContent, secret)
      const test = yield* appOf(id, secret)

      const callback = yield* step("allow", decide(developer, test.address, "allow"))
      const tokens = yield* step("exchange the code", test.exchange(callback))
      assert.strictEqual(yield* step("call the API", test.call(tokens.access_token)), 200)
      assert.strictEqual(yield* test.refresh(tokens.refresh_token), "ok")
      assert.lengthOf(steps, 6)

      const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM accounts WHERE role <> 'user'`
      assert.strictEqual(row?.n, 0)
      // The app under review stays closed.
      const closed = yield* load(`/auth/oauth2/authorize?${new URLSearchParams({
        client_id: app.id,
        redirect_uri: "https://app.example/callback",
        scope: "PROFILE_READ"
      })}`)
      assert.strictEqual(closed.status, 403)
    }))

  it.effect("lets those use it who accept on their own page, and nobody else", () =>
    Effect.gen(function*() {
      const developer = yield* Live.newAccount()
      const guest = yield* Live.newAccount()
      const uninvited = yield* Live.newAccount()
      const pages = yield* browser(developer)
      const { data: app } = yield* pages.callApi("POST", "/v2/oauth-clients", { ...registration, name: "Door Display" })
      const made = yield* pages.callApi("POST", `/v2/oauth-clients/${app.id}/test-app`)
      assert.strictEqual(made.status, 201)
      const test = yield* appOf(made.data.id, made.data.secret)
      const asked = yield* browser(guest)
      const { href } = test.address

      const answers = [
        yield* pages.send(testPath(app.id), "/guests", { guest: guest.email }),
        yield* pages.send(testPath(app.id), "/guests", { guest: "nobody@example.com" })
      ].map(({ main, status }) => [status, main.querySelector(".notice")?.textContent])
      assert.deepStrictEqual(answers[0], answers[1])

      // Invited, but not accepted.
      const stranger = yield* asked.load(href)
      assert.strictEqual(stranger.status, 403)
      assert.include(stranger.main.textContent, "This is a test app")
      assert.notInclude(stranger.main.textContent, "Door Display")

      const after = yield* asked.send("/connections", "/accept")
      assert.include(after.main.textContent, "You are a guest of Test: Door Display now.")
      const consent = yield* asked.load(href)
      assert.include(consent.main.textContent, "Test version: only its owner and the owner’s guests can use it")
      assert.notInclude(consent.main.textContent, "Reviewed by")
      const tokens = yield* test.exchange(yield* decide(guest, test.address, "allow"))
      assert.strictEqual(yield* test.call(tokens.access_token), 200)

      assert.strictEqual((yield* (yield* browser(uninvited)).load(href)).status, 403)

      const { data: { guests } } = yield* pages.callApi("GET", `/v2/oauth-clients/${app.id}/test-app`)
      const accepted = guests.find(({ acceptedAt }: { readonly acceptedAt: string | null }) => acceptedAt !== null)
      yield* pages.send(testPath(app.id), `/${accepted.id}/remove`)
      assert.strictEqual(yield* test.call(tokens.access_token), 401)
      assert.strictEqual(yield* test.refresh(tokens.refresh_token), "invalid_grant")
      assert.strictEqual((yield* asked.load(href)).status, 403)
    }))

  it.effect("and an administrator sees all test apps on one page, and ends one or all", () =>
    Effect.gen(function*() {
      const developer = yield* Live.newAccount()
      const admin = yield* browser(yield* Live.newAccount("admin"))
      const pages = yield* browser(developer)
      const { data: app } = yield* pages.callApi("POST", "/v2/oauth-clients", { ...registration, name: "Ended" })
      yield* pages.send(testPath(app.id), "/test")
      assert.strictEqual((yield* pages.load("/review/tests")).status, 403)
      const { main } = yield* admin.load("/review/tests")
      assert.include(main.textContent, "Test: Ended")
      const { data } = yield* pages.callApi("GET", `/v2/oauth-clients/${app.id}/test-app`)
      yield* admin.send("/review/tests", `/${data.id}/end`)
      assert.strictEqual((yield* pages.callApi("GET", `/v2/oauth-clients/${app.id}/test-app`)).status, 404)
      yield* pages.send(testPath(app.id), "/test")
      const stopped = yield* admin.send("/review/tests/stop", "/stop")
      assert.include(stopped.main.textContent, "All were ended")
      assert.include((yield* pages.load(testPath(app.id))).main.textContent, "This server has no test apps.")
      yield* admin.send("/review/tests", "/allow")
      yield* pages.send(testPath(app.id), "/test")
    }))
})

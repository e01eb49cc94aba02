import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { TestServer } from "../../src/testing.ts"
import { atSystemTime, browser as providerBrowser, serverWith } from "../doors/identity/oidc/Scenario.ts"

const file = join(import.meta.dirname, "../support/brands/brands.json")
const fern = "accounts.fern.example"

/** A browser at a host that sends no `Sec-Fetch-Site`, as many did not, and as none does over http. */
const browserAt = (host: string) =>
  Effect.gen(function*() {
    const kit = yield* TestServer
    const cookies = new Map<string, string>()
    const send = Effect.fnUntraced(function*(path: string, init: RequestInit = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = yield* kit.fetch(path, { ...init, headers: { cookie, host, ...Object(init.headers) } })
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      const text = yield* Effect.promise(() => response.text())
      const location = response.headers.get("location") ??
        /http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      return { status: response.status, location, text, headers: JSON.stringify([...response.headers]) }
    })
    const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      send(path, {
        method: "POST",
        headers: { origin: `https://${host}`, ...headers },
        body: new URLSearchParams(fields)
      })
    return { send, submit }
  })

const fieldOf = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]?.replaceAll("&amp;", "&") ?? ""

layer(TestServer.layer({ BRAND: file }), { timeout: "2 minutes" })(
  "the host of a brand that is not AUTH_URL's",
  (it) => {
    for (const host of [fern, `${fern}:8443`]) {
      it.effect(`serves a whole journey with its own forms: ${host}`, () =>
        Effect.gen(function*() {
          const kit = yield* TestServer
          yield* kit.reset
          const { send, submit } = yield* browserAt(host)
          const user = yield* kit.user()
          const app = yield* kit.app()
          const request = `/auth/oauth2/authorize?${new URLSearchParams({
            client_id: app.clientId,
            redirect_uri: app.redirectUri,
            scope: app.scopes.join(" "),
            state: "s"
          })}`
          const isOfFern = (page: string) => {
            assert.include(page, " · Fern &amp; Co</title>")
            assert.notInclude(page, "Orbit")
          }

          const asked = yield* send(request)
          assert.match(asked.location, /^\/sign-in\?/)
          const form = yield* send(asked.location)
          isOfFern(form.text)
          const signedIn = yield* submit("/sign-in", {
            email: user.email,
            password: user.password,
            return_to: fieldOf(form.text, "return_to")
          })
          assert.strictEqual(signedIn.location, request)
          const question = yield* send(signedIn.location)
          isOfFern(question.text)
          const allowed = yield* submit("/auth/oauth2/decision", {
            csrf: fieldOf(question.text, "csrf"),
            request: fieldOf(question.text, "request"),
            decision: "allow"
          })
          assert.isTrue(allowed.location.startsWith(`${app.redirectUri}?code=`), allowed.location)
          const code = new URL(allowed.location).searchParams.get("code") ?? ""
          const token = yield* kit.fetch("/v2/auth/oauth2/token", {
            method: "POST",
            body: new URLSearchParams({
              grant_type: "authorization_code",
              client_id: app.clientId,
              client_secret: app.clientSecret ?? "",
              redirect_uri: app.redirectUri,
              code
            })
          })
          const { access_token: accessToken } = yield* Effect.promise<{ access_token: string }>(() => token.json())
          const status = Effect.map(
            kit.fetch("/v2/me", { headers: { authorization: `Bearer ${accessToken}` } }),
            ({ status }) => status
          )
          assert.strictEqual(yield* status, 200)

          const connections = yield* send("/connections")
          isOfFern(connections.text)
          assert.include(connections.text, app.name)
          const ended = yield* submit("/connections/disconnect", {
            csrf: fieldOf(connections.text, "csrf"),
            client_id: app.clientId
          })
          assert.deepStrictEqual([ended.status, ended.location], [303, "/connections"])
          assert.strictEqual(yield* status, 401)

          const account = yield* send("/account")
          isOfFern(account.text)
          const out = yield* submit("/sign-out", { csrf: fieldOf(account.text, "csrf") })
          assert.strictEqual(out.status, 303)
          assert.match((yield* send("/account")).location, /^\/sign-in\?/)
          for (const page of [asked, form, signedIn, question, allowed, connections, ended, account, out]) {
            assert.notInclude(page.text + page.headers, fern)
          }
        }))
    }

    it.effect("takes no form without a session from elsewhere, and every one from its own pages", () =>
      Effect.gen(function*() {
        const kit = yield* TestServer
        yield* kit.reset
        const { submit } = yield* browserAt(fern)
        const forms = [
          "/sign-in",
          "/forgotten-password",
          "/reset-password",
          "/invitation",
          "/confirm-address",
          "/sign-out"
        ]
        const elsewhere = [
          { origin: "https://evil.example" },
          { origin: `https://${fern}.evil.example` },
          { origin: `http://${fern}` },
          { origin: `https://${fern}:8443` },
          { origin: "null" },
          // Of a browser that has been led to think that the server is at that host.
          { origin: "https://evil.example", host: "evil.example" },
          { origin: `https://${fern}`, host: "evil.example" },
          { origin: "https://accounts.orbit.example" }
        ]
        for (const path of forms) {
          const fields = { email: "nobody@example.com", password: "wrong horse", token: "slk_link_no" }
          for (const headers of elsewhere) {
            const refused = yield* submit(path, fields, headers)
            assert.deepStrictEqual([path, headers, refused.status], [path, headers, 403])
            assert.notInclude(refused.text + refused.headers, "evil.example")
            assert.match(refused.text, /another site/i, path)
          }
          for (const origin of [`https://${fern}`, kit.url]) {
            assert.notMatch((yield* submit(path, fields, { origin })).text, /another site/i, path)
          }
        }
      }))
  }
)

layer(serverWith({ BRAND: file }), { timeout: "2 minutes" })("a sign-in elsewhere from the host of a brand", (it) => {
  it.effect("goes on at AUTH_URL, to which it comes back, and ends in what was asked for", () =>
    Effect.gen(function*() {
      yield* atSystemTime
      const { authenticate, jar, send } = yield* providerBrowser
      const path = "/sign-in?return_to=%2Fconnections%3Fpage%3D1"
      const begun = yield* send(path, { headers: { host: fern } })
      assert.strictEqual(begun.location?.href, `https://slotkey.test${path}`)
      // A cookie of that host would not come with the answer.
      assert.deepStrictEqual([...jar], [])
      const atProvider = (yield* send(begun.location ?? "")).location
      const answered = yield* send(yield* authenticate(atProvider ?? new URL("about:blank")))
      assert.strictEqual(answered.location?.href, "https://slotkey.test/connections?page=1")
      assert.strictEqual((yield* send(answered.location ?? "")).status, 200)

      // At a host that no brand has, the server is as at its own: a proxy may have changed the header.
      jar.clear()
      const elsewhere = yield* send(path, { headers: { host: "evil.example" } })
      assert.strictEqual(elsewhere.location?.origin, atProvider?.origin)
    }))
})

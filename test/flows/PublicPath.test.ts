import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type HTMLElement, parse } from "node-html-parser"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { TestServer } from "../../src/testing.ts"
import type { TestSession } from "../../src/testing/Fixtures.ts"
import { registeredRoutes } from "../support/Routes.ts"

const origin = "https://slotkey.test"
const prefix = "/oauth"

/** Addresses to which a page leads a browser, with the form that sends there. */
const addressesOf = (page: HTMLElement) =>
  page.querySelectorAll("[href], [src], [action], [formaction], meta[http-equiv=refresh]").map((element) => ({
    element,
    address: element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action") ??
      element.getAttribute("formaction") ?? /url=(.*)/.exec(element.getAttribute("content") ?? "")?.[1] ?? ""
  }))

/** Fields of a form as a browser sends them when nobody fills them in. */
const fieldsOf = (form: HTMLElement) =>
  Object.fromEntries(
    form.querySelectorAll("input[name], textarea[name], select[name]").map((field) =>
      [field.getAttribute("name") ?? "", field.getAttribute("value") ?? field.text] as const
    )
  )

/** A page is seen once, whichever its ids are. */
const kindOf = ({ pathname, searchParams }: URL): string =>
  `${pathname.replaceAll(/[0-9a-f-]{20,}|slk_\w+/g, ":id")}?${[...searchParams.keys()].sort().join("&")}`

/** Follows all that the server says to a browser behind a proxy, which knows the server beneath the prefix alone. */
const crawler = Effect.fnUntraced(function*(session: TestSession | undefined) {
  const kit = yield* TestServer
  const seen = new Set<string>()
  const forms = new Map<string, HTMLElement>()
  const headers: Record<string, string> = session === undefined ? {} : { cookie: session.cookie }

  /** Asserts that the address is beneath the prefix, or on another host; answers it if it is ours. */
  const own = (address: string, from: string): URL | undefined => {
    const url = new URL(address, from)
    if (url.origin !== origin) return undefined
    assert.isTrue(`${url.pathname}/`.startsWith(`${prefix}/`), `${from} leads to ${address}`)
    assert.isFalse(`${url.pathname}/`.startsWith(`${prefix}${prefix}/`), `${from} leads to ${address}`)
    return url
  }

  const read = Effect.fnUntraced(function*(response: Response, from: string) {
    assert.isBelow(response.status, 500, from)
    for (const cookie of response.headers.getSetCookie()) {
      assert.match(cookie, /; Path=\/oauth(\/|;|$)/, from)
      assert.notMatch(cookie, /^__Host-/, from)
    }
    const location = response.headers.get("location")
    if (location !== null) return [own(location, from)].filter((url) => url !== undefined)
    const text = yield* Effect.promise(() => response.text())
    if (!response.headers.get("content-type")?.startsWith("text/html")) return []
    const page = parse(text)
    return addressesOf(page).flatMap(({ address, element }) => {
      const url = own(address, from)
      if (url === undefined) return []
      if (element.tagName !== "FORM" || element.getAttribute("method") !== "post") return [url]
      forms.set(kindOf(url), element)
      return []
    })
  })

  const crawl = Effect.fnUntraced(function*(start: ReadonlyArray<string>) {
    const waiting = start.map((address) => new URL(address, origin))
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (seen.has(kindOf(url))) continue
      seen.add(kindOf(url))
      waiting.push(...yield* read(yield* kit.fetch(url, { headers }), url.href))
    }
  })

  /** Sends each form that was found once, as it is, and follows the answers. */
  const submitAll = Effect.fnUntraced(function*() {
    const last = /\/(sign-out|close|delete|end-others|switch-account)\?$/
    const ordered = [...forms].sort(([a], [b]) => Number(last.test(a)) - Number(last.test(b)))
    for (const [, form] of ordered) {
      const url = new URL(form.getAttribute("action") ?? "", origin)
      const response = yield* kit.fetch(url, {
        method: "POST",
        headers: { ...headers, "sec-fetch-site": "same-origin" },
        body: new URLSearchParams(fieldsOf(form))
      })
      yield* crawl((yield* read(response, `${url.href} (POST)`)).map(({ href }) => href))
    }
    return ordered.map(([kind]) => kind)
  })

  return { crawl, seen, submitAll }
})

layer(TestServer.layer({ BASE_URL: `${origin}${prefix}`, OPERATOR_PORT: "0" }), { timeout: "2 minutes" })(
  "A server beneath a path, behind a proxy that strips it",
  (it) => {
    it.effect("leads browsers nowhere else: by no link, form, redirect, refresh, file or cookie", () =>
      Effect.gen(function*() {
        const kit = yield* TestServer
        const registry = yield* ClientRegistry
        const admin = yield* kit.user({ role: "admin" })
        const owner = yield* kit.user()
        const app = yield* kit.app({ owner })
        const changed = yield* kit.app({ owner })
        yield* registry.edit(owner.id, changed.clientId, { scopes: ["PROFILE_READ", "APPS_READ"] })
        const pending = yield* kit.app({ owner, status: "pending" })
        const legacy = yield* kit.app({ owner, legacy: true })
        yield* kit.tokens({ app, user: owner })
        const paths = (yield* registeredRoutes).filter((route) => route.startsWith("GET ")).map((route) =>
          route.slice(4)
        )
        const asking = new URLSearchParams({
          client_id: app.clientId,
          redirect_uri: app.redirectUri,
          scope: "PROFILE_READ",
          prompt: "consent"
        })
        const found: Array<string> = []
        const sent: Array<string> = []
        for (const user of [undefined, owner, admin]) {
          const { crawl, seen, submitAll } = yield* crawler(user && (yield* kit.session(user)))
          const pages = [app, changed, pending, legacy].flatMap(({ clientId }) =>
            paths.filter((path) => !path.startsWith("/v2/")).map((path) =>
              prefix + path.replace(":id", path.startsWith("/users/") ? owner.id : clientId)
            )
          )
          yield* crawl([...pages, `${prefix}/auth/oauth2/authorize?${asking}`, `${prefix}/nowhere`, prefix])
          found.push(...seen)
          sent.push(...yield* submitAll())
        }
        assert.includeMembers(found, ["/oauth/?", "/oauth/docs/scopes?", "/oauth/review/:id?", "/oauth/account?"])
        assert.isAbove(found.filter((kind) => kind.startsWith("/oauth/assets/")).length, 3)
        assert.includeMembers(sent, [
          "/oauth/sign-in?",
          "/oauth/auth/oauth2/decision?",
          "/oauth/settings/apps/new?",
          "/oauth/review/:id/approve?",
          "/oauth/sign-out?"
        ])
      }))

    it.effect("carries a sign-in, a consent and its tokens from end to end", () =>
      Effect.gen(function*() {
        const kit = yield* TestServer
        const { accessToken, app, user } = yield* kit.tokens()
        const me = yield* kit.fetch(`${kit.url}/v2/me`, { headers: { authorization: `Bearer ${accessToken}` } })
        assert.strictEqual(me.status, 200)
        // What is asked for comes back after the sign-in, at the address of the browser.
        const asked = yield* kit.fetch(`${kit.url}/connections`)
        const signIn = new URL(asked.headers.get("location") ?? "", kit.url)
        assert.strictEqual(signIn.pathname, "/oauth/sign-in")
        const signedIn = yield* kit.fetch(`${kit.url}/sign-in`, {
          method: "POST",
          headers: { "sec-fetch-site": "same-origin" },
          body: new URLSearchParams({
            email: user.email,
            password: user.password,
            return_to: signIn.searchParams.get("return_to") ?? ""
          })
        })
        assert.strictEqual(signedIn.headers.get("location"), "/oauth/connections")
        const [cookie = ""] = signedIn.headers.getSetCookie()
        assert.match(cookie, /^__Secure-slotkey=[^;]+; .*Path=\/oauth;/)
        const page = yield* kit.fetch(`${kit.url}/connections`, { headers: { cookie: cookie.split(";")[0] ?? "" } })
        assert.include(yield* Effect.promise(() => page.text()), app.name)
        const metadata = yield* kit.fetch(`${origin}/.well-known/oauth-authorization-server${prefix}`)
        assert.include(yield* Effect.promise(() => metadata.text()), `"issuer":"${origin}${prefix}"`)
      }))
  }
)

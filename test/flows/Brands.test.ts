import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { TestServer } from "../../src/testing.ts"
import { registeredRoutes } from "../support/Routes.ts"
import { visibleTexts } from "../support/VisibleTexts.ts"

const file = join(import.meta.dirname, "../support/brands/brands.json")
const hosts = { orbit: "accounts.orbit.example", fern: "accounts.fern.example:8443", other: "evil.example" }

layer(TestServer.layer({ BRAND: file }), { timeout: "2 minutes" })("a server with two brands", (it) => {
  const scene = Effect.gen(function*() {
    const kit = yield* TestServer
    yield* kit.reset
    const ask = (path: string, host: string, { headers, ...init }: RequestInit = {}) =>
      Effect.flatMap(
        kit.fetch(path, { ...init, headers: { "sec-fetch-site": "same-origin", ...Object(headers), host } }),
        (response) => Effect.map(Effect.promise(() => response.text()), (text) => ({ response, text }))
      )
    return { ask, kit }
  })

  it.effect("shows name, logo, colours and links by the host of the request, the first one at any other", () =>
    Effect.gen(function*() {
      const { ask } = yield* scene
      const seen = Effect.fnUntraced(function*(path: string, host: string) {
        const { text } = yield* ask(path, host)
        const files = [...text.matchAll(/(?:href|src|srcset)="(\/assets\/[^"]*-(?:brand|logo)\.\w+)"/g)]
        const kinds = new Set<string>()
        for (const [, path = ""] of files) {
          const { response, text } = yield* ask(path, host)
          assert.strictEqual(response.status, 200, path)
          assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
          kinds.add(path.endsWith(".css") ? /--pico-primary-background: (#\w+)/.exec(text)?.[1] ?? "" : path.slice(-3))
          if (path.endsWith(".svg")) {
            assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'.*sandbox/)
          }
        }
        const [, footer = ""] = /<footer class="site">([^]*)<\/footer>/.exec(text) ?? []
        return {
          title: /<title>[^<]* · ([^<]*)<\/title>/.exec(text)?.[1],
          head:
            /class="brand" href="\/">(?:<picture>.*<img src="[^"]*" alt="([^"]*)"><\/picture>)(?:<bdi>([^<]*)<\/bdi>)?/
              .exec(text)?.slice(1).map((name = "") => name),
          files: [...kinds],
          links: [...footer.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
        }
      })
      const orbit = {
        title: "Orbit CRM",
        head: ["", "Orbit CRM"],
        files: ["#4f3cc9", "svg"],
        links: [
          "mailto:help@orbit.example",
          "https://orbit.example/privacy",
          "https://orbit.example/terms",
          "https://orbit.example/imprint"
        ]
      }
      const fern = {
        title: "Fern &amp; Co",
        head: ["Fern &amp; Co", ""],
        files: ["#ffc933", "svg"],
        links: ["https://fern.example/help"]
      }
      // A page, one that is the same for everybody, and one that no door makes.
      for (const path of ["/sign-in", "/docs/scopes", "/nowhere"]) {
        assert.deepStrictEqual(yield* seen(path, hosts.orbit), orbit, path)
        assert.deepStrictEqual(yield* seen(path, hosts.fern), fern, path)
        assert.deepStrictEqual(yield* seen(path, hosts.other), orbit, path)
      }
    }))

  it.effect("has a footer and no word of Slotkey on any page, and no address with the host of the request", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const user = yield* kit.user({ role: "admin" })
      const { cookie } = yield* kit.session(user)
      const app = yield* kit.app({ owner: user })
      yield* kit.tokens({ app, user })
      const request = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: app.redirectUri,
        scope: app.scopes.join(" "),
        prompt: "consent"
      })
      const paths = (yield* registeredRoutes).flatMap((route) => route.startsWith("GET ") ? [route.slice(4)] : [])
      let pages = 0
      for (const path of [...paths, `/auth/oauth2/authorize?${request}`, "/nowhere"]) {
        const id = path.includes("/users/") ? user.id : path.includes("/looks/") ? "sign-in" : app.clientId
        for (const headers of [{ cookie }, {}]) {
          const { response, text } = yield* ask(path.replace(":id", id), hosts.other, { headers })
          assert.isBelow(response.status, 500, path)
          assert.notInclude(text + JSON.stringify([...response.headers]), hosts.other, path)
          if (response.headers.get("content-type")?.startsWith("text/html") !== true) continue
          // Names of headers and of the command are no words about the platform.
          const words = visibleTexts(text).filter((shown) => /\bSlotkey\b/.test(shown))
          assert.deepStrictEqual([path, ...words], [path])
          assert.include(text, "<footer class=\"site\">", path)
          pages += 1
        }
      }
      assert.isAbove(pages, 30)
    }))

  it.effect("mails in the name of the brand at whose host it was asked to, and leads to its own address", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      for (const host of [hosts.fern, hosts.orbit, hosts.other]) {
        const user = yield* kit.user()
        yield* ask("/forgotten-password", host, {
          method: "POST",
          body: new URLSearchParams({ email: user.email })
        })
      }
      const mails = yield* kit.mails
      assert.deepStrictEqual(mails.map(({ from }) => from), [
        "\"Fern & Co\" <no-reply@localhost>",
        "Orbit CRM <no-reply@orbit.example>",
        "Orbit CRM <no-reply@orbit.example>"
      ])
      for (const { text } of mails) {
        assert.include(text, kit.url)
        assert.notMatch(text, /Slotkey|evil|accounts\.fern\.example/)
      }
    }))

  it.effect("shows administrators each brand, and each page with made-up data and forms that lead nowhere", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const { cookie } = yield* kit.session(yield* kit.user({ role: "admin" }))
      const list = yield* ask("/looks", hosts.orbit, { headers: { cookie } })
      const addresses = [...list.text.matchAll(/href="(\/looks\/[^"]*)"/g)].map(([, href = ""]) =>
        href.replaceAll("&amp;", "&")
      )
      assert.lengthOf(addresses, 12)
      for (const address of addresses) {
        const { response, text } = yield* ask(address, hosts.orbit, { headers: { cookie } })
        const brand = new URL(address, kit.url).searchParams.get("brand")
        assert.include(text, ` · ${brand?.replace("&", "&amp;")}</title>`, address)
        assert.include(text, "class=\"sample\"", address)
        assert.match(response.headers.get("content-security-policy") ?? "", /form-action 'none'/)
        assert.notMatch(text, /name="csrf" value="[^"]/)
      }
      const user = yield* kit.session(yield* kit.user())
      for (const path of ["/looks", "/looks/consent"]) {
        assert.strictEqual((yield* ask(path, hosts.orbit, { headers: { cookie: user.cookie } })).response.status, 403)
      }
      assert.strictEqual((yield* ask("/looks/gone", hosts.orbit, { headers: { cookie } })).response.status, 404)
      assert.notInclude((yield* ask("/connections", hosts.orbit, { headers: { cookie } })).text, "class=\"sample\"")
    }))
})

layer(
  TestServer.layer({
    BRAND: file,
    SIGN_IN: "local oidc",
    OIDC_ISSUER: "https://id.example",
    OIDC_CLIENT_ID: "slotkey"
  })
)("a way to sign in elsewhere", (it) => {
  it.effect("has the name that the brand gives it, and else the name of its host", () =>
    Effect.gen(function*() {
      const kit = yield* TestServer
      const button = Effect.fnUntraced(function*(host: string) {
        const response = yield* kit.fetch("/sign-in", { headers: { host } })
        const text = yield* Effect.promise(() => response.text())
        return /<a class="button wide"[^>]*>([^<]*)</.exec(text)?.[1]
      })
      assert.strictEqual(yield* button(hosts.orbit), "Sign in with Orbit")
      assert.strictEqual(yield* button(hosts.fern), "Sign in with id.example")
    }))
})

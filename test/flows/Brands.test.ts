import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { Brands, plain } from "../../src/domain/brand/Brand.ts"
import { Catalogue } from "../../src/domain/catalogue/Catalogue.ts"
import { inEnglish } from "../../src/domain/files/Words.ts"
import { sampleMails } from "../../src/doors/mails/Samples.ts"
import { writtenMail } from "../../src/doors/mails/WrittenMail.ts"
import { english } from "../../src/foundation/messages/Languages.ts"
import { html, write } from "../../src/foundation/web/Html.ts"
import { TestServer } from "../../src/testing.ts"
import { registeredRoutes } from "../support/Routes.ts"
import { visibleTexts } from "../support/VisibleTexts.ts"

const file = join(import.meta.dirname, "../support/brands/brands.json")
const escaped = (text: string) => write(html`${text}`, { brand: plain, language: english })

/** Pages of users, by their addresses beneath `/looks`. */
const samplePages = [
  "sign-in",
  "consent",
  "connections",
  "end-access",
  "signed-out",
  "account",
  "revoke-key",
  "forgotten-password",
  "link-sent",
  "reset-password",
  "invitation",
  "email-change",
  "confirm-address",
  "address-confirmed",
  "link-unusable",
  "close-account",
  "account-closed",
  "error",
  "question-closed",
  "too-many",
  "another-account",
  "session-ended",
  "not-found",
  "broken",
  "database-away"
]

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

  it.effect("mails what a reviewer decided in the name of the first brand, at whatever host they did it", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const { cookie, csrf } = yield* kit.session(yield* kit.user({ role: "reviewer" }))
      const app = yield* kit.app({ status: "pending" })
      const page = yield* ask(`/review/${app.clientId}`, hosts.fern, { headers: { cookie } })
      const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? ""
      const { response } = yield* ask(`/review/${app.clientId}/approve`, hosts.fern, {
        method: "POST",
        headers: { cookie },
        body: new URLSearchParams({ csrf, version })
      })
      assert.strictEqual(response.status, 303)
      const mail = (yield* kit.mails).find(({ subject }) => subject.includes("was approved"))
      assert.strictEqual(mail?.from, "Orbit CRM <no-reply@orbit.example>")
      assert.include(mail?.text, "Orbit CRM sent you this email")
    }))

  it.effect("shows administrators each brand, each page and each mail with made-up data, and forms that lead nowhere", () =>
    Effect.gen(function*() {
      const { ask, kit } = yield* scene
      const { cookie } = yield* kit.session(yield* kit.user({ role: "admin" }))
      const list = yield* ask("/looks", hosts.orbit, { headers: { cookie } })
      const samples = [...list.text.matchAll(/href="(\/looks\/[^"]*)"/g)].map(([, href = ""]) => {
        const url = new URL(href.replaceAll("&amp;", "&"), kit.url)
        const id = url.pathname.slice("/looks/".length)
        return { url, id, brand: url.searchParams.get("brand") ?? "", isText: url.searchParams.has("text") }
      })
      const mails = sampleMails({ authUrl: kit.url }, yield* Catalogue).map(({ mail, name, to }) => ({
        id: `mail-${name}`,
        mail,
        to
      }))
      for (const brand of ["Orbit CRM", "Fern & Co"]) {
        const ofBrand = samples.filter((sample) => sample.brand === brand)
        assert.deepStrictEqual(
          ofBrand.filter(({ id }) => id.startsWith("mail-")).map(({ id, isText }) => `${id} ${isText}`),
          mails.flatMap(({ id }) => [`${id} false`, `${id} true`])
        )
        assert.deepStrictEqual(ofBrand.flatMap(({ id }) => id.startsWith("mail-") ? [] : [id]), samplePages)
      }
      const { all } = yield* Brands
      for (const { brand, id, isText, url } of samples) {
        const address = url.pathname + url.search
        const { response, text } = yield* ask(address, hosts.orbit, { headers: { cookie } })
        const policy = response.headers.get("content-security-policy") ?? ""
        assert.match(policy, /form-action 'none'/, address)
        assert.notMatch(text, /name="csrf" value="[^"]|\bSlotkey\b/, address)
        const mail = mails.find((mail) => mail.id === id)
        if (mail === undefined || isText) {
          assert.isTrue(text.includes(` · ${escaped(brand)}</title>`), address)
          assert.include(text, "class=\"sample\"", address)
        }
        if (mail === undefined) continue
        const look = all.find(({ name }) => inEnglish(name) === brand) ?? all[0]
        const written = writtenMail(mail.mail, mail.to, kit.url, { brand: look, language: english })
        if (isText) assert.include(text, `>${escaped(written.text)}</pre>`, address)
        else {
          assert.strictEqual(text, written.html, address)
          assert.match(policy, /default-src 'none'; style-src 'unsafe-inline';.* sandbox$/)
        }
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

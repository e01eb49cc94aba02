import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { parse } from "node-html-parser"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { TestServer } from "../../src/testing.ts"
import { accented, mirrored } from "../support/StrayTexts.ts"

const Server = TestServer.layer().pipe(
  Layer.provide(Layer.succeed(Languages, [english, accented, mirrored]))
)

const scene = Effect.gen(function*() {
  const kit = yield* TestServer
  yield* kit.reset
  const user = yield* kit.user()
  const app = yield* kit.app({ owner: user })
  const { cookie, csrf } = yield* kit.session(user)
  const ask = Effect.fnUntraced(function*(path: string, { headers, ...init }: RequestInit = {}) {
    const response = yield* kit.fetch(path, {
      ...init,
      headers: { "accept-language": "en", "sec-fetch-site": "same-origin", ...Object(headers) }
    })
    const page = parse(yield* Effect.promise(() => response.text()))
    return { language: response.headers.get("content-language"), page, response }
  })
  const get = (path: string) => ask(path, { headers: { cookie } })
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    ask(path, { method: "POST", headers: { cookie }, body: new URLSearchParams({ csrf, ...fields }) })
  const authorize = `/auth/oauth2/authorize?${new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    scope: app.scopes.join(" "),
    ui_locales: "en"
  })}`
  return { ask, authorize, get, kit, post, user }
})

type Page = Effect.Success<ReturnType<Effect.Success<typeof scene>["ask"]>>

/** Address of the same page in this language, which its footer leads to. */
const linkTo = ({ page }: Page, tag: string) =>
  page.querySelector(`footer a[hreflang=${tag}]`)?.getAttribute("href") ?? ""

layer(Server, { timeout: "1 minute" })("The choice of a language", (it) => {
  it.effect("is a link for who is not signed in, and holds through forms and as far as the page leads back", () =>
    Effect.gen(function*() {
      const { ask, authorize, user } = yield* scene
      const signIn = yield* ask(`/sign-in?${new URLSearchParams({ return_to: authorize })}`)
      assert.strictEqual(signIn.language, "en")
      assert.strictEqual(signIn.page.querySelector("footer [aria-current]")?.text, english.name)
      const chosen = yield* ask(linkTo(signIn, mirrored.tag))
      assert.strictEqual(chosen.language, mirrored.tag)
      const returnTo = chosen.page.querySelector("[name=return_to]")?.getAttribute("value") ?? ""
      assert.strictEqual(new URL(returnTo, "https://own.invalid").searchParams.get("ui_locales"), mirrored.tag)
      const action = chosen.page.querySelector("main form")?.getAttribute("action") ?? ""
      const refused = yield* ask(action, {
        method: "POST",
        body: new URLSearchParams({ email: user.email, password: "wrong", return_to: "/" })
      })
      assert.deepStrictEqual([refused.response.status, refused.language], [403, mirrored.tag])
      // The answer to a form cannot be got again.
      assert.strictEqual(linkTo(refused, english.tag), "")
      const forgotten = refused.page.querySelector("main a[href^='/forgotten']")?.getAttribute("href") ?? ""
      const form = (yield* ask(forgotten)).page.querySelector("main form")?.getAttribute("action") ?? ""
      const sent = yield* ask(form, { method: "POST", body: new URLSearchParams({ email: user.email }) })
      assert.deepStrictEqual([sent.response.status, sent.language], [200, mirrored.tag])
    }))

  it.effect("is not offered where the address has a secret, which no page repeats", () =>
    Effect.gen(function*() {
      const { ask } = yield* scene
      for (const path of ["/setup?token=swordfish", "/reset-password?token=swordfish", "/nowhere?code=swordfish"]) {
        const shown = yield* ask(path)
        assert.strictEqual(linkTo(shown, mirrored.tag), "", path)
        assert.notInclude(shown.page.querySelector("footer")?.outerHTML, "swordfish", path)
      }
    }))

  it.effect("stands in the account of who has one here, and the page comes back in it", () =>
    Effect.gen(function*() {
      const { authorize, get, post } = yield* scene
      const page = "/connections?page=1"
      const { language, page: shown } = yield* get(`${page}&ui_locales=en`)
      assert.strictEqual(language, "en")
      const form = shown.querySelector("footer form")
      assert.deepStrictEqual(
        form?.querySelectorAll("button").map((button) => button.getAttribute("value")),
        [accented.tag, mirrored.tag]
      )
      const fields = Object.fromEntries(
        form?.querySelectorAll("input").map((input) => [
          input.getAttribute("name"),
          input.getAttribute("value")?.replaceAll("&amp;", "&")
        ]) ?? []
      )
      const took = yield* post(form?.getAttribute("action") ?? "", { ...fields, locale: accented.tag })
      assert.strictEqual(took.response.status, 303)
      assert.strictEqual(took.response.headers.get("location"), page)
      assert.strictEqual((yield* get(page)).language, accented.tag)
      // An app asks for a language of this question alone.
      const consent = yield* get(authorize)
      assert.deepStrictEqual([consent.language, (yield* get(linkTo(consent, mirrored.tag))).language], [
        "en",
        mirrored.tag
      ])
      yield* post("/account/language", { ...fields, csrf: "wrong", locale: "en" })
      assert.strictEqual((yield* get("/account")).language, accented.tag)
    }))
})

layer(TestServer.layer(), { timeout: "1 minute" })("A server with one language", (it) => {
  it.effect("offers no choice", () =>
    Effect.gen(function*() {
      const { ask, authorize, get } = yield* scene
      for (const { page } of [yield* ask("/"), yield* ask("/nowhere"), yield* get("/account"), yield* get(authorize)]) {
        assert.lengthOf(page.querySelectorAll("footer"), 1)
        assert.lengthOf(page.querySelectorAll("footer [lang]"), 0)
        assert.lengthOf(page.querySelectorAll("footer form"), 0)
      }
    }))
})

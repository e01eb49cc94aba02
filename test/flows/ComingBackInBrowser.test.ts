import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { challenge } from "../core/consent/Fixture.ts"
import { Browser, isAvailable as hasBrowser } from "../support/Browser.ts"
import { freePort } from "../support/FreePort.ts"
import { isAvailable, plainNginx } from "../support/Gateway.ts"
import * as Live from "../support/LiveServer.ts"

/** Server as people reach it: behind nginx, which has the limits that it has by itself. */
class Public extends Context.Service<Public, { readonly url: string }>()(
  "slotkey/test/flows/ComingBackInBrowser.test/Public"
) {
  static readonly layer = Layer.unwrap(Effect.map(freePort, (port) => {
    const url = `http://localhost:${port}`
    return Layer.effect(
      Public,
      Effect.gen(function*() {
        yield* plainNginx(port, Number(new URL((yield* Live.LiveServer).url).port))
        return { url }
      })
    ).pipe(Layer.provideMerge(Live.layer({ BASE_URL: url, TRUSTED_PROXIES: "1" })))
  }))
}

const Journey = Layer.mergeAll(Public.layer, Browser.layer("--host-resolver-rules=MAP *.example ~NOTFOUND"))

describe.skipIf(!hasBrowser || !isAvailable("nginx"))("behind nginx, in a browser", () => {
  layer(Journey, { excludeTestServices: true })("whoever loses the session", (it) => {
    it.effect("half way through the consent to a request with a long state, and in a form, comes back to both", () =>
      Effect.gen(function*() {
        const { url } = yield* Public
        const { client } = yield* Live.newApp()
        const user = yield* Live.newAccount()
        const endSessions = Effect.flatMap(Sessions, (sessions) => sessions.endAll(user.id))
        const page = yield* (yield* Browser).newPage()
        const signIn = async (page: Page) => {
          await page.fill("[name=email]", user.email)
          await page.fill("[name=password]", Live.password)
          await page.click("main button")
        }
        const state = "ü/=".repeat(240)
        assert.isAtLeast(encodeURIComponent(state).length, 2_400)
        const request = new URLSearchParams({
          client_id: client.id,
          redirect_uri: "https://buddy.example/callback",
          scope: client.scopes.join(" "),
          code_challenge: challenge,
          code_challenge_method: "S256",
          state
        })
        yield* Effect.promise(async () => {
          await page.goto(`${url}/auth/oauth2/authorize?${request}`)
          await signIn(page)
          await page.waitForSelector(".consent")
        })
        yield* endSessions
        yield* Effect.promise(async () => {
          await page.click("button[value=allow]")
          await page.waitForSelector("[name=password]")
          assert.include(await page.textContent("main") ?? "", client.name)
          await signIn(page)
          await page.waitForSelector(".consent")
          const sent = page.waitForRequest((request) => request.url().startsWith("https://buddy.example/"))
          await page.click("button[value=allow]", { noWaitAfter: true })
          const answer = new URL((await sent).url()).searchParams
          assert.match(answer.get("code") ?? "", /^slk_code_/)
          assert.strictEqual(answer.get("state"), state)
        })
        // In another tab, because no app answers in the first.
        const form = yield* Effect.promise(() => page.context().newPage())
        yield* Effect.promise(async () => {
          await form.goto(`${url}/settings/apps/new`)
          await form.fill("[name=name]", "Mirror of \"clocks\"")
          await form.fill("[name=purpose]", "One line,\nand <another> & more.")
        })
        yield* endSessions
        yield* Effect.promise(async () => {
          await form.getByRole("button", { name: "Next" }).click()
          await form.waitForSelector("[name=password]")
          await signIn(form)
          await form.waitForSelector("main .notice")
          assert.strictEqual(await form.inputValue("[name=name]"), "Mirror of \"clocks\"")
          assert.strictEqual(await form.inputValue("[name=purpose]"), "One line,\nand <another> & more.")
          assert.strictEqual(await form.evaluate("document.activeElement.className"), "notice note")
        })
      }))
  })
})

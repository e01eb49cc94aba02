import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { catalogue } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { violations } from "../../support/Accessibility.ts"
import { Browser, isAvailable } from "../../support/Browser.ts"
import * as LiveServer from "../../support/LiveServer.ts"
import { signIn } from "../../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

/** A developer's browser window; each page is checked for accessibility. */
const developer = Effect.fnUntraced(function*(options: { readonly dark?: boolean; readonly width?: number } = {}) {
  const { url } = yield* LiveServer.LiveServer
  const account = yield* LiveServer.newAccount()
  const page = yield* (yield* Browser).newPage(options)
  const complaints: Array<string> = []
  page.on("console", (message) => {
    if (message.text().includes("Policy")) complaints.push(message.text())
  })
  yield* signIn(page, account)
  const go = (steps: (page: Page) => Promise<unknown>) =>
    Effect.gen(function*() {
      yield* Effect.promise(() => steps(page))
      assert.deepStrictEqual(yield* violations(page), [])
    })
  return { account, complaints, go, page, url }
})

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const status = (page: Page) => page.getByRole("status").textContent()

layer(Live, { excludeTestServices: true })("the playground", (it) => {
  it.effect.skipIf(!isAvailable)(
    "takes a newcomer through the whole flow with the demo app",
    () =>
      Effect.gen(function*() {
        const { account, complaints, go, url } = yield* developer({ width: 390, dark: true })
        yield* go((page) => page.goto(`${url}/playground`))
        yield* go((page) => press(page, "Start with the demo app"))
        yield* go(async (page) => {
          await page.getByLabel("Manage your bookings").uncheck()
          await press(page, "Change the URL")
          assert.notInclude(
            await page.getByLabel("Authorization URL", { exact: true }).textContent(),
            "BOOKING_WRITE"
          )
        })
        yield* go((page) => page.getByRole("link", { name: "Go there as the user" }).click())
        yield* go((page) => press(page, "Allow"))
        yield* go((page) => press(page, "Exchange the code"))
        yield* go(async (page) => {
          assert.include(await status(page), "200")
          assert.include(await page.getByLabel("Claims", { exact: true }).textContent(), `"sub": "${account.id}"`)
          await press(page, "Send GET /v2/me")
          assert.include(await page.getByLabel("Answer", { exact: true }).textContent(), account.email)
        })
        yield* go((page) => press(page, "Refresh the tokens"))
        yield* go(async (page) => {
          assert.include(await status(page), "200")
          await press(page, "Revoke the access")
          assert.include(await status(page), "200")
        })
        yield* go(async (page) => {
          await press(page, "Send GET /v2/me")
          assert.include(await status(page), "401")
        })
        assert.isEmpty(complaints)
        // Taking it again does not make another one.
        yield* go(async (page) => {
          await page.goto(`${url}/playground`)
          await press(page, "Start with the demo app")
        })
        assert.lengthOf(yield* (yield* ClientRegistry).listOwned(account.id), 1)
      }),
    120_000
  )

  it.effect.skipIf(!isAvailable)(
    "shows each refusal with an app of one's own, and keeps its secret to itself",
    () =>
      Effect.gen(function*() {
        const { client, owner, secret } = yield* LiveServer.newApp({
          name: "<script>alert(1)</script>",
          redirectUris: ["https://buddy.example/callback"],
          scopes: [...catalogue]
        })
        const review = yield* ClientReview
        const { go, page, url } = yield* developer()
        yield* signIn(page, owner)
        yield* go((page) => page.goto(`${url}/playground`))
        yield* go(async (page) => {
          await page.getByRole("button", { name: /^Add the address/ }).click()
          await page.getByText("The address is waiting for review").waitFor()
        })
        const changed = yield* review.get(client.id)
        yield* review.approve(owner.id, client.id, changed.version)
        yield* go(async (page) => {
          await page.reload()
          await page.getByRole("link", { name: "Use this app" }).click()
        })
        yield* go((page) => page.getByRole("link", { name: "Go there as the user" }).click())
        yield* go(async (page) => {
          await press(page, "Deny")
          await page.getByText("access_denied").waitFor()
        })
        yield* go(async (page) => {
          await page.getByRole("link", { name: "Start again" }).click()
          await page.getByRole("link", { name: "Go there as the user" }).click()
          await press(page, "Allow")
          await page.getByLabel("Client secret").fill("slk_secret_wrong_secret")
          await press(page, "Exchange the code")
          assert.include(await status(page), "401")
          assert.include(await page.getByLabel("Answer", { exact: true }).textContent(), "invalid_client")
        })
        yield* go(async (page) => {
          await page.getByLabel("Client secret").fill(secret)
          await press(page, "Exchange the code")
          assert.include(await status(page), "200")
          const sent = await page.getByLabel("Request", { exact: true }).textContent()
          assert.include(sent, `client_secret=…${secret.slice(-4)}`)
          assert.notInclude(await page.locator("main").innerText(), secret)
          assert.notInclude(page.url(), "slk_")
          // The longest token there is, still short enough for browsers and for proxies with small buffers.
          const cookie = (await page.context().cookies()).find(({ name }) => name === "slotkey-playground")
          assert.isBelow(cookie?.value.length ?? Infinity, 3000)
          await press(page, "Send GET /v2/me")
          assert.include(await status(page), "200")
        })
        // A response to a request that this browser has not sent.
        yield* go(async (page) => {
          await page.goto(`${url}/playground/callback?code=slk_code_stolen&state=other&iss=${encodeURIComponent(url)}`)
          await page.getByText("An unexpected answer").waitFor()
          assert.notInclude(await page.content(), "slk_code_stolen")
        })
        yield* review.suspend(owner.id, client.id, "Its users ask for it.")
        yield* go(async (page) => {
          await page.goto(`${url}/playground`)
          assert.match(
            await page.getByRole("listitem").filter({ hasText: client.name }).innerText(),
            /suspended\s+This app is suspended$/
          )
        })
      }),
    120_000
  )

  it.effect.skipIf(!isAvailable)(
    "survives Back and Forward at each step, and uses no code twice",
    () =>
      Effect.gen(function*() {
        const { go, page, url } = yield* developer()
        /** Moves in the browser's history, and tells where that led. */
        const move = async (direction: "goBack" | "goForward") => {
          const response = await page[direction]()
          return [response?.status(), await page.locator(".failure h1").allTextContents()]
        }
        const fine = [200, []]
        const backAndForward = async () => {
          assert.deepStrictEqual(await move("goBack"), fine)
          assert.deepStrictEqual(await move("goForward"), fine)
        }
        yield* go(async () => {
          await page.goto(`${url}/playground`)
          await press(page, "Start with the demo app")
          await page.getByRole("heading", { name: "Send the user to the authorization URL" }).waitFor()
          await backAndForward()
          await page.getByRole("link", { name: "Go there as the user" }).click()
          await page.getByRole("button", { name: "Allow" }).waitFor()
          await backAndForward()
          await press(page, "Allow")
          await page.getByRole("button", { name: "Exchange the code" }).waitFor()
          await backAndForward()
        })
        for (const name of ["Exchange the code", "Send GET /v2/me", "Refresh the tokens", "Revoke the access"]) {
          yield* go(async () => {
            await press(page, name)
            assert.include(await status(page), "200")
            await backAndForward()
            assert.include(await status(page), "200")
          })
        }
        // All the way back to the consent page, and on from there.
        yield* go(async () => {
          while (!page.url().includes("/authorize")) assert.deepStrictEqual(await move("goBack"), fine)
          await press(page, "Allow")
          await press(page, "Exchange the code")
          assert.include(await status(page), "200")
          await press(page, "Send GET /v2/me")
          assert.include(await status(page), "200")
        })
      }),
    120_000
  )

  it.effect("exchanges a code once, whatever a page of an earlier step sends", () =>
    Effect.gen(function*() {
      const { page, url } = yield* developer()
      yield* Effect.promise(async () => {
        await page.goto(`${url}/playground`)
        await press(page, "Start with the demo app")
        await page.getByRole("link", { name: "Go there as the user" }).click()
        await press(page, "Allow")
        const fields = await page.locator("form[action^='/playground/run'] input").evaluateAll((inputs) =>
          inputs.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""])
        )
        await press(page, "Exchange the code")
        const again = await page.request.post(`${url}/playground/run`, { form: Object.fromEntries(fields) })
        assert.include(await again.text(), "Answered: <strong class=\"fine\">200")
        await press(page, "Send GET /v2/me")
        assert.include(await status(page), "200")
      })
    }))
})

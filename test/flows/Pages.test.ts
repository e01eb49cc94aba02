import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shots } from "../screenshots/Shots.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import * as PictureHost from "../support/PictureHost.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer()).pipe(Layer.provideMerge(PictureHost.layer))

const phone = { width: 390, height: 844 }

layer(Live, { excludeTestServices: true })("every page", (it) => {
  it.effect.skipIf(!isAvailable)(
    "has no fault of accessibility and keeps its policy: wide in the light, on a phone in the dark",
    () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        // The long page of the reference is examined in part by Docs.test.ts.
        const all = (yield* shots).filter(({ name }) => name !== "docs")
        const faults: Array<string> = []
        for (const look of [{ dark: false, width: 1180 }, { dark: true, ...phone }]) {
          const page = yield* browser.newPage(look)
          const complaints: Array<string> = []
          page.on("console", (message) => {
            if (message.text().includes("Policy")) complaints.push(message.text())
          })
          for (const { go, name, role, tallest } of all) {
            yield* Effect.promise(() => page.context().clearCookies())
            if (role !== undefined) yield* signIn(page, role)
            yield* Effect.promise(() => go(page))
            faults.push(...[...yield* violations(page), ...complaints].map((fault) => `${name}: ${fault}`))
            complaints.length = 0
            if (look.width !== phone.width || tallest === undefined) continue
            assert.isAtMost(tallest, 2 * phone.height, name)
            const height = yield* Effect.promise(() => page.evaluate<number>("document.documentElement.scrollHeight"))
            if (height > tallest) faults.push(`${name}: ${height}, not ${tallest}`)
          }
        }
        assert.deepStrictEqual(faults, [])
      }),
    300_000
  )

  it.effect.skipIf(!isAvailable)(
    "begins with a link past the navigation, which shows when the keyboard reaches it",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const page = yield* (yield* Browser).newPage()
        yield* signIn(page, yield* LiveServer.newAccount())
        yield* Effect.promise(async () => {
          await page.goto(`${url}/settings/apps`)
          const top = async () => (await page.getByRole("link", { name: "Skip to content" }).boundingBox())?.y ?? -1
          assert.isBelow(await top(), 0)
          await page.keyboard.press("Tab")
          assert.isAtLeast(await top(), 0)
          await page.keyboard.press("Enter")
          await page.keyboard.press("Tab")
          assert.strictEqual(await page.locator("main :focus").innerText(), "Register an app")
        })
      })
  )

  it.effect.skipIf(!isAvailable)(
    "shows boxes where several may be chosen, and circles where one is",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const page = yield* (yield* Browser).newPage()
        yield* signIn(page, yield* LiveServer.newAccount())
        const draft = crypto.randomUUID()
        const isRound = (type: string) =>
          Effect.promise(() =>
            page.evaluate<boolean>(`{
            const input = document.querySelector("main input[type=${type}]");
            parseFloat(getComputedStyle(input).borderTopLeftRadius) * 3 > input.clientWidth;
          }`)
          )
        yield* Effect.promise(() => page.goto(`${url}/settings/apps/new/addresses?draft=${draft}`))
        assert.isTrue(yield* isRound("radio"))
        yield* Effect.promise(() => page.goto(`${url}/settings/apps/new/scopes?draft=${draft}`))
        assert.isFalse(yield* isRound("checkbox"))
      })
  )

  it.effect.skipIf(!isAvailable)(
    "of a registration keeps what was entered, without a script, and is no wider than 320 pixels",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const page = yield* (yield* Browser).newPage({ width: 320, height: 700, javaScriptEnabled: false })
        yield* signIn(page, yield* LiveServer.newAccount())
        const fits = async () =>
          assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth"), 320, page.url())
        yield* Effect.promise(async () => {
          await page.goto(`${url}/settings/apps/new`)
          await fits()
          await page.fill("[name=name]", "Clock")
          await page.fill("[name=purpose]", "Shows the time.")
          await page.fill("[name=website]", "https://clock.example")
          await page.click("text=Next")
          await fits()
          await page.check("[value=confidential]")
          await page.fill("[name='redirectUris.0']", "https://clock.example/callback")
          await page.click("text=One more address")
          await page.fill("[name='redirectUris.1']", "http://127.0.0.1/callback")
          await fits()
          await page.click("text=Next")
          await fits()
          // The browser goes back to pages as they were left.
          await page.goBack()
          assert.strictEqual(await page.inputValue("[name='redirectUris.0']"), "https://clock.example/callback")
          await fits()
          await page.goto(page.url().replace("/addresses", ""))
          assert.strictEqual(await page.inputValue("[name=name]"), "Clock")
          await fits()
          await page.click("text=Next")
          await page.click("text=Next")
          await page.fill("[name=q]", "confirm booking")
          await page.press("[name=q]", "Enter")
          await page.check("[name='scope:BOOKING_WRITE']")
          await page.click("text=Register the app")
          assert.match(await page.innerText("main"), /slk_secret_/)
        })
      })
  )

  it.effect("has an icon, also where a browser looks for one unasked", () =>
    Effect.gen(function*() {
      const { url } = yield* LiveServer.LiveServer
      yield* Effect.promise(async () => {
        const document = await (await fetch(url)).text()
        const [, href = ""] = /<link rel="icon" href="([^"]*)"/.exec(document) ?? []
        for (const path of [href, "/favicon.ico"]) {
          const icon = await fetch(new URL(path, url))
          assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"])
          assert.include(await icon.text(), "<svg")
        }
      })
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const file = join(import.meta.dirname, "../support/brands/brands.json")

/** All pages, and of the mails one that has all that mails have; test/doors/mails looks at each. */
const isOne = (address: string) => !address.includes("/mail-") || address.includes("/mail-password-changed?")

const Live = Layer.merge(LiveServer.layer({ BRAND: file }), Browser.layer())

layer(Live, { excludeTestServices: true })("pages of two brands", (it) => {
  it.effect.skipIf(!isAvailable)(
    "have no fault of accessibility in any look, contrast among them, and keep their policy",
    () =>
      Effect.gen(function*() {
        const { url } = yield* LiveServer.LiveServer
        const admin = yield* LiveServer.newAccount("admin")
        for (const look of [{ dark: false, width: 1280 }, { dark: true, width: 390 }]) {
          const page = yield* (yield* Browser).newPage(look)
          const complaints: Array<string> = []
          page.on("console", (message) => {
            if (message.text().includes("Policy")) complaints.push(message.text())
          })
          yield* signIn(page, admin)
          yield* Effect.promise(() => page.goto(`${url}/looks`))
          assert.deepStrictEqual(yield* violations(page), [])
          const addresses = yield* Effect.promise(() =>
            page.evaluate<Array<string>>("[...document.querySelectorAll('.samples a')].map((link) => link.href)")
          )
          // test/flows/Brands.test.ts counts them.
          assert.isAbove(addresses.length, 100)
          const mail = yield* Effect.promise(() => page.context().newPage())
          for (const address of addresses.filter(isOne)) {
            const answer = yield* Effect.promise(() => page.goto(address))
            if (address.includes("/mail-") && !address.includes("text=")) {
              // Nothing runs in the sample itself, axe-core neither.
              yield* Effect.promise(async () => mail.setContent(await answer?.text() ?? ""))
              assert.deepStrictEqual([address, ...yield* violations(mail), ...complaints], [address])
              continue
            }
            assert.deepStrictEqual([address, ...yield* violations(page), ...complaints], [address])
            const { drawn, wide } = yield* Effect.promise(() =>
              page.evaluate<{ drawn: boolean; wide: boolean }>(`({
                drawn: [...document.querySelectorAll(".brand img")].every((image) => image.naturalWidth > 0),
                wide: document.documentElement.scrollWidth > innerWidth
              })`)
            )
            assert.deepStrictEqual([address, drawn, wide], [address, true, false])
          }
        }
      }),
    300_000
  )

  it.effect.skipIf(!isAvailable)("send no form from a sample, whatever is clicked there", () =>
    Effect.gen(function*() {
      const { url } = yield* LiveServer.LiveServer
      const page = yield* (yield* Browser).newPage()
      yield* signIn(page, yield* LiveServer.newAccount("admin"))
      const address = `${url}/looks/consent`
      const sent: Array<string> = []
      page.on("request", (request) => {
        if (request.method() === "POST") sent.push(request.url())
      })
      yield* Effect.promise(async () => {
        await page.goto(address)
        const refused = page.waitForEvent("console", (message) => message.text().includes("form-action"))
        // A click of the driver would wait for the page that follows.
        await page.evaluate("document.querySelector('[value=allow]').click()")
        await refused
      })
      assert.deepStrictEqual([page.url(), sent], [address, []])
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shots } from "../screenshots/Shots.ts"
import { violations } from "../support/Accessibility.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const Live = Layer.merge(LiveServer.layer(), Browser.layer())

layer(Live, { excludeTestServices: true })("every page", (it) => {
  it.effect.skipIf(!isAvailable)(
    "has no fault of accessibility and keeps its policy: wide in the light, on a phone in the dark",
    () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        const all = yield* shots
        for (const look of [{ dark: false, width: 1180 }, { dark: true, width: 390 }]) {
          const page = yield* browser.newPage(look)
          const complaints: Array<string> = []
          page.on("console", (message) => {
            if (message.text().includes("Policy")) complaints.push(message.text())
          })
          for (const { go, name, role } of all) {
            yield* Effect.promise(() => page.context().clearCookies())
            if (role !== undefined) yield* signIn(page, role)
            yield* Effect.promise(() => go(page))
            assert.deepStrictEqual([name, ...(yield* violations(page)), ...complaints], [name])
          }
        }
      }),
    300_000
  )
})

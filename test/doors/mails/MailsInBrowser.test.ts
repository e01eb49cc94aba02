import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { english } from "../../../src/foundation/messages/Languages.ts"
import { violations } from "../../support/Accessibility.ts"
import { Browser, isAvailable } from "../../support/Browser.ts"
import { pseudoLanguage } from "../../support/PseudoLanguage.ts"
import { allWritten } from "./Scenario.ts"

const looks = [
  { language: english, dark: false, width: 1180 },
  { language: english, dark: true, width: 320 },
  { language: pseudoLanguage("en-XA"), dark: true, width: 1180 },
  { language: pseudoLanguage("ar-XB"), dark: false, width: 320 }
]

layer(Browser.layer(), { excludeTestServices: true })("every mail", (it) => {
  it.effect.skipIf(!isAvailable)(
    "has no fault of accessibility and fits its window: wide and narrow, light and dark, long and right to left",
    () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        for (const { language, ...look } of looks) {
          const page = yield* browser.newPage(look)
          for (const { html, name } of allWritten(language)) {
            yield* Effect.promise(() => page.setContent(html))
            assert.deepStrictEqual([name, ...(yield* violations(page))], [name])
          }
        }
      }),
    120_000
  )
})

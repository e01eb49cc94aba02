import type axe from "axe-core"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"

/**
 * Faults of a page: one line for each element that axe-core complains about, one for each link that claims to be a
 * button (it does not answer to the space bar), and one if the page is wider than its window. Runs in the page's
 * isolated world, because the content security policy forbids scripts.
 */
export const violations = (page: Page): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    // A press of a button may have led to a page that is not there as a whole yet.
    await page.waitForLoadState()
    await page.evaluate(source)
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })")
    const links = await page.evaluate<ReadonlyArray<string>>(
      `[...document.querySelectorAll("a[role=button]")].map((link) => link.textContent)`
    )
    const isTooWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
      ...links.map((text) => `a link claims to be a button: ${text}`),
      ...(isTooWide ? ["the page is wider than its window"] : [])
    ]
  })

// Each page compiles it once more: without comments that is half the work. So is a report without all that passes.
const source = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

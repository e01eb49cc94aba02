import axe from "axe-core"
import { Effect } from "effect"
import type { Page } from "playwright-core"

/**
 * What axe-core finds wrong on the page, one line for each element, and whether the page is wider than its window; empty
 * when nothing is. Runs in the page's isolated world, because its content security policy forbids scripts.
 */
export const violations = (page: Page): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run()")
    const isTooWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth")
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
      ...(isTooWide ? ["the page is wider than its window"] : [])
    ]
  })

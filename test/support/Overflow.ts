import { Effect } from "effect"
import type { Page } from "playwright-core"

/** Page, if it is wider than its window, and its tables that are wider than their place. */
export const tooWide = (page: Page) =>
  Effect.promise(() =>
    page.locator("html, .overflow-auto").evaluateAll((all) =>
      all.filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)
    )
  )

/** Code that lies under the button that copies it. Opened first: what is folded has no place. */
export const covered = (page: Page) =>
  Effect.promise(async () => {
    await page.waitForSelector(".code > button.copy:not([hidden])", { state: "attached" })
    return await page.evaluate<ReadonlyArray<string>>(`{
      for (const details of document.querySelectorAll("details")) details.open = true;
      [...document.querySelectorAll(".code")].filter((block) => {
        const button = block.querySelector("button.copy").getBoundingClientRect();
        const text = document.createRange();
        text.selectNodeContents(block.querySelector("code"));
        return [...text.getClientRects()].some((line) =>
          line.right > button.left && line.left < button.right && line.top < button.bottom
        );
      }).map((block) => block.textContent);
    }`)
  })

import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import type { Account } from "../../src/core/accounts/people/Account.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { violations } from "./Accessibility.ts"
import { Browser } from "./Browser.ts"
import { LiveServer, password } from "./LiveServer.ts"

/** Signs the page's browser in by a session cookie. */
export const signIn = Effect.fnUntraced(function*(page: Page, { id }: Account) {
  const { url } = yield* LiveServer
  const token = yield* (yield* Sessions).start(id)
  yield* Effect.promise(() => page.context().addCookies([{ name: "slotkey", value: Redacted.value(token), url }]))
})

/** Opens a page by way of the sign-in page. `go` takes steps on the page and then checks it for accessibility. */
export const openSignedIn = Effect.fnUntraced(
  function*(account: Account, path: string, options: { dark?: boolean; width?: number }) {
    const { url } = yield* LiveServer
    const page = yield* (yield* Browser).newPage(options)
    const go = Effect.fnUntraced(function*(steps: () => Promise<unknown>) {
      yield* Effect.promise(steps)
      assert.deepStrictEqual(yield* violations(page), [])
    })
    yield* go(async () => {
      await page.goto(`${url}${path}`)
      await page.fill("[name=email]", account.email)
      await page.fill("[name=password]", password)
      await page.click("main button")
      await page.waitForURL(`${url}${path}`)
    })
    return { page, go }
  }
)

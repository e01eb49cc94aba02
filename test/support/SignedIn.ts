import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Account } from "../../src/core/accounts/Account.ts"
import { violations } from "./Accessibility.ts"
import { Browser } from "./Browser.ts"
import * as Live from "./LiveServer.ts"

/** A signed-in browser on a page; each step ends with a check of what it shows for accessibility. */
export const open = Effect.fnUntraced(
  function*(account: Account, path: string, options: { dark?: boolean; width?: number }) {
    const { url } = yield* Live.LiveServer
    const page = yield* (yield* Browser).newPage(options)
    const go = Effect.fnUntraced(function*(steps: () => Promise<unknown>) {
      yield* Effect.promise(steps)
      assert.deepStrictEqual(yield* violations(page), [])
    })
    yield* go(async () => {
      await page.goto(`${url}${path}`)
      await page.fill("[name=email]", account.email)
      await page.fill("[name=password]", Live.password)
      await page.click("main button")
      await page.waitForURL(`${url}${path}`)
    })
    return { page, go }
  }
)

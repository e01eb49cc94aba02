import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import type { Account } from "../../src/core/accounts/Account.ts"
import { Sessions } from "../../src/core/accounts/Sessions.ts"
import { LiveServer } from "./LiveServer.ts"

/** Signs the browser of a page in without the sign-in page, which has its own journeys. */
export const signIn = Effect.fnUntraced(function*(page: Page, { id }: Account) {
  const { url } = yield* LiveServer
  const token = yield* (yield* Sessions).start(id)
  yield* Effect.promise(() => page.context().addCookies([{ name: "slotkey", value: Redacted.value(token), url }]))
})

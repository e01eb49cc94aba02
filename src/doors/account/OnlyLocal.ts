import { Effect } from "effect"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"

/**
 * Lets through whose account is kept here. What a platform says of its users is changed there: with a form of ours
 * somebody could call themselves whatever they like until the next sign-in, and try the password of the local account
 * that has the same address.
 */
export const onlyLocal = Effect.gen(function*() {
  const accounts = yield* Accounts

  return Effect.fnUntraced(function*({ account, viewer }: Visitor) {
    if (yield* accounts.isLocal(account.id)) return
    return yield* Effect.fail(failurePage({
      status: 403,
      title: text("account.onlyLocal"),
      what: text("account.onlyLocal.what"),
      remedy: text("account.onlyLocal.remedy"),
      next: { href: "/account", label: text("account.onlyLocal.next") },
      viewer
    }))
  })
})

import { DateTime, Effect, Option } from "effect"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { accountBody, type RefusedForm } from "./AccountView.ts"
import { problemStatus } from "./PageRoutes.ts"
import type { Visitor } from "./PageSession.ts"

/** Shows the page `/account` to its user; a form of it that was refused is shown again as it was entered. */
export const showAccount = Effect.gen(function*() {
  // Absent where a platform keeps the profiles and passwords of its users.
  const accounts = yield* Effect.serviceOption(Accounts)
  const apiKeys = yield* ApiKeys
  const sessions = yield* Sessions
  const { signIn } = yield* AppConfig

  return Effect.fnUntraced(function*({ account, notice, session, viewer }: Visitor, refused?: RefusedForm) {
    const isLocal = Option.isSome(accounts) && (yield* accounts.value.isLocal(account.id))
    const keys = yield* apiKeys.list(account.id)
    const now = yield* DateTime.now
    return page({
      title: "Account",
      viewer,
      status: problemStatus(refused?.problem),
      body: accountBody({
        account,
        viewer,
        notice,
        isLocal,
        hasPassword: isLocal && signIn.has("local"),
        keys,
        sessions: yield* sessions.list(account.id),
        sessionId: Buffer.from(session.digest).toString("hex"),
        now,
        refused
      })
    })
  })
})

import { DateTime, Effect, Option } from "effect"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { problemStatus } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { accountBody } from "./AccountView.ts"
import type { RefusedForm } from "./RefusedForm.ts"

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

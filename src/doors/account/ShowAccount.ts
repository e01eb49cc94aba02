import { Context, DateTime, Effect, Option } from "effect"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { Languages } from "../../foundation/messages/Languages.ts"
import { page, type Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { formNotSent } from "../../foundation/web/RestoredForm.ts"
import type { Visitor } from "../session/PageSession.ts"
import { accountBody } from "./AccountView.ts"
import { forms, type RefusedForm } from "./RefusedForm.ts"

/** Shows the page `/account` to its user; a form of it that was refused, or comes back, is shown as it was entered. */
export const showAccount = Effect.gen(function*() {
  const accounts = Option.map(yield* LocalUsers, Context.get(Accounts))
  const apiKeys = yield* ApiKeys
  const sessions = yield* Sessions
  const languages = yield* Languages
  const { signIn } = yield* AppConfig

  return Effect.fnUntraced(function*(
    { account, notice, session, viewer }: Visitor,
    refused: RefusedForm | undefined = restoredForm(viewer)
  ) {
    const isLocal = Option.isSome(accounts) && (yield* accounts.value.isLocal(account.id))
    const keys = yield* apiKeys.list(account.id)
    const now = yield* DateTime.now
    return page({
      title: text("account"),
      viewer,
      problem: refused?.problem,
      body: accountBody({
        account,
        viewer,
        notice,
        isLocal,
        languages,
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

const restoredForm = ({ restored }: Viewer): RefusedForm | undefined => {
  const form = forms.find((form) => restored?.action === `/account/${form}`)
  return form === undefined || restored === undefined
    ? undefined
    : { form, problem: formNotSent, entered: restored.fields }
}

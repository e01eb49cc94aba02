import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { EmailChanges } from "../../core/accounts/local/EmailChanges.ts"
import * as Input from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { fromOurPages } from "../../foundation/http/SameOrigin.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import {
  addressConfirmedPage,
  changeUnusablePage,
  confirmAddressPage,
  emailChangeBody,
  type EmailChangeView,
  emailPath,
  tooManyChangesPage
} from "./EmailChangeView.ts"
import { linkFromElsewherePage } from "./MailedLinkView.ts"
import { onlyLocal } from "./OnlyLocal.ts"
import { currentPasswordCheck } from "./PasswordFields.ts"

/** Another e-mail address: `/account/email`, and behind the mailed link `/confirm-address`. */
export const EmailChangePages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const isFromOurPages = yield* fromOurPages
  const changes = yield* EmailChanges
  const checkCurrent = yield* currentPasswordCheck
  const checkLocal = yield* onlyLocal

  const show = Effect.fnUntraced(
    function*(
      { account, notice, viewer }: Visitor,
      refused: Pick<EmailChangeView, "email" | "problem"> = restoredForm(viewer.restored, emailPath, enteredIn)
    ) {
      const pending = Option.getOrUndefined(yield* changes.pending(account.id))
      return page({
        title: text("emailChange"),
        viewer,
        problem: refused.problem,
        body: emailChangeBody({ account, viewer, notice, pending, ...refused })
      })
    }
  )

  const request = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    yield* checkLocal(visitor)
    const { account } = visitor
    const { email } = enteredIn(fields)
    return yield* Effect.gen(function*() {
      const proof = yield* Effect.result(checkCurrent(account, fields))
      const wanted = yield* Effect.result(changes.check(account, email))
      const faults = [...Input.faultsOf(wanted), ...Input.faultsOf(proof)]
      if (faults.length > 0) return yield* Input.invalid(faults)
      yield* changes.request(account, email)
      return yield* pages.redirect(visitor, emailPath, text("emailChange.sent"))
    }).pipe(
      Effect.catchTags({
        BadRequest: (problem) => show(visitor, { email, problem }),
        TooManyAttempts: (error) => Effect.succeed(tooManyChangesPage(error))
      })
    )
  })

  const withdraw = Effect.gen(function*() {
    const { visitor } = yield* pages.form
    yield* checkLocal(visitor)
    yield* changes.withdraw(visitor.account.id)
    return yield* pages.redirect(visitor, emailPath, text("emailChange.withdrawn"))
  })

  /** Page behind the mailed link: a look changes nothing, because programs that examine mails open links, too. */
  const ask = Effect.gen(function*() {
    const token = (yield* readQuery).get("token") ?? ""
    return Option.match(yield* changes.find(token), {
      onNone: () => changeUnusablePage,
      onSome: (link) => confirmAddressPage(token, link)
    })
  })

  const confirm = Effect.gen(function*() {
    if (!isFromOurPages(yield* HttpServerRequest.HttpServerRequest)) return linkFromElsewherePage
    return yield* changes.confirm((yield* readForm).get("token") ?? "").pipe(
      Effect.map(addressConfirmedPage),
      Effect.catchTags({
        LinkUnusable: () => Effect.succeed(changeUnusablePage),
        Conflict: () => Effect.succeed(takenPage)
      })
    )
  })

  yield* get(emailPath, Effect.flatMap(Effect.tap(pages.require, checkLocal), (visitor) => show(visitor)))
  yield* post(emailPath, request)
  yield* post(`${emailPath}/withdraw`, withdraw)
  yield* get("/confirm-address", ask)
  yield* post("/confirm-address", confirm)
}))

const enteredIn = (fields: Parameters) => ({ email: fields.get("email") ?? "" })

const takenPage = failurePage({
  status: 409,
  title: text("emailChange.taken"),
  what: text("emailChange.taken.what"),
  remedy: text("emailChange.taken.remedy"),
  next: { href: emailPath, label: text("account.changeEmail") }
})

import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import * as NewPassword from "../../core/accounts/local/NewPassword.ts"
import { PasswordResets } from "../../core/accounts/local/PasswordResets.ts"
import type { Account } from "../../core/accounts/people/Account.ts"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import type { BadRequest } from "../../domain/ApiError.ts"
import * as Input from "../../domain/Input.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { fromOurPages } from "../../foundation/http/SameOrigin.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { giveSession } from "../session/GiveSession.ts"
import { pageController } from "../session/PageRoutes.ts"
import { forgottenPasswordPath } from "../session/ReturnTo.ts"
import { fromElsewherePage } from "../session/SignInView.ts"
import { passwordChanged } from "./AccountView.ts"
import { disconnectAll } from "./DisconnectAll.ts"
import { linkFromElsewherePage } from "./MailedLinkView.ts"
import { passwordIn, repetitionFaults } from "./PasswordFields.ts"
import {
  forgottenPasswordPage,
  linkSentPage,
  newPasswordPage,
  resetUnusablePage,
  tooManyLinksPage
} from "./PasswordResetView.ts"

/** Another password by mail: `/forgotten-password`, and behind the mailed link `/reset-password`. */
export const PasswordResetPages = pageController(Effect.fnUntraced(function*({ get, post }) {
  const config = yield* AppConfig
  const isFromOurPages = yield* fromOurPages
  const resets = yield* PasswordResets
  const apiKeys = yield* ApiKeys
  const disconnect = yield* disconnectAll
  const give = yield* giveSession
  const sessions = yield* Sessions

  const mailLink = Effect.gen(function*() {
    if (!isFromOurPages(yield* HttpServerRequest.HttpServerRequest)) return fromElsewherePage
    const email = (yield* readForm).get("email") ?? ""
    return yield* resets.request(email).pipe(
      Effect.as(linkSentPage(email.trim(), Option.isNone(config.smtpUrl))),
      Effect.catchTags({
        BadRequest: (problem) => Effect.succeed(forgottenPasswordPage({ email, problem })),
        TooManyAttempts: (error) => Effect.succeed(tooManyLinksPage(error))
      })
    )
  })

  const showForm = Effect.fnUntraced(function*(token: string, account: Account, problem?: BadRequest) {
    const keys = (yield* apiKeys.list(account.id)).length
    return newPasswordPage({ token, email: account.email, keys, ...(problem === undefined ? {} : { problem }) })
  })

  // A look uses nothing up: programs that examine mails open their links, too.
  const show = Effect.gen(function*() {
    const token = (yield* readQuery).get("token") ?? ""
    const account = yield* resets.find(token)
    return Option.isSome(account) ? yield* showForm(token, account.value) : resetUnusablePage
  })

  const change = Effect.gen(function*() {
    if (!isFromOurPages(yield* HttpServerRequest.HttpServerRequest)) return linkFromElsewherePage
    const fields = yield* readForm
    const token = fields.get("token") ?? ""
    const found = yield* resets.find(token)
    if (Option.isNone(found)) return resetUnusablePage
    const account = found.value
    const password = passwordIn(fields, "password")
    const endApiKeys = fields.get("keys") !== undefined
    const apps = fields.get("apps") !== undefined
    const faults = [...NewPassword.faultsOf(password), ...repetitionFaults(fields)]
    if (faults.length > 0) return yield* showForm(token, account, Input.invalid(faults))
    return yield* resets.use(
      token,
      { password, endApiKeys },
      ({ id }) => Effect.andThen(apps ? disconnect(id) : Effect.void, sessions.start(id))
    ).pipe(
      Effect.flatMap((session) => give(session, "/account", passwordChanged(endApiKeys, apps))),
      Effect.catchTags({
        LinkUnusable: () => Effect.succeed(resetUnusablePage),
        BadRequest: (problem) => showForm(token, account, problem)
      })
    )
  })

  yield* get(forgottenPasswordPath, Effect.succeed(forgottenPasswordPage()))
  yield* post(forgottenPasswordPath, mailLink)
  yield* get("/reset-password", show)
  yield* post("/reset-password", change)
}))

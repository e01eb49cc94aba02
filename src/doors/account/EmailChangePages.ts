import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { EmailChanges } from "../../core/accounts/local/EmailChanges.ts"
import type { LinkUnusable, MailedLink } from "../../core/accounts/local/MailedLink.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import * as Input from "../../domain/Input.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { isFromOurPages } from "../../foundation/http/SameOrigin.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { pageRoutes, problemStatus } from "../session/PageRoutes.ts"
import { PageSession, type Visitor } from "../session/PageSession.ts"
import {
  addressConfirmedPage,
  addressKeptPage,
  changeUnusablePage,
  confirmAddressPage,
  emailChangeBody,
  emailPath,
  keepAddressPage,
  objectionUnusablePage,
  tooManyChangesPage
} from "./EmailChangeView.ts"
import { linkFromElsewherePage } from "./MailedLinkView.ts"
import { onlyLocal } from "./OnlyLocal.ts"
import { currentPasswordCheck } from "./PasswordFields.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Another e-mail address: `/account/email`, and behind the mailed links `/confirm-address` and `/keep-address`. */
export const EmailChangePages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = yield* pageRoutes(router)
  const config = yield* AppConfig
  const changes = yield* EmailChanges
  const pages = yield* PageSession
  const checkCurrent = yield* currentPasswordCheck
  const checkLocal = yield* onlyLocal

  const show = Effect.fnUntraced(
    function*(
      { account, notice, viewer }: Visitor,
      refused?: { readonly email: string; readonly problem: BadRequest }
    ) {
      const pending = Option.getOrUndefined(yield* changes.pending(account.id))
      return page({
        title: "E-mail address",
        viewer,
        status: problemStatus(refused?.problem),
        body: emailChangeBody({ account, viewer, notice, pending, ...refused })
      })
    }
  )

  const request = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    yield* checkLocal(visitor)
    const { account } = visitor
    const email = fields.get("email") ?? ""
    return yield* Effect.gen(function*() {
      const proof = yield* Effect.result(checkCurrent(account, fields))
      const wanted = yield* Effect.result(changes.check(account, email))
      const faults = [...Input.faultsOf(wanted), ...Input.faultsOf(proof)]
      if (faults.length > 0) return yield* Input.invalid(faults)
      yield* changes.request(account, email)
      return yield* pages.redirect(visitor, emailPath, "A mail with a link is on its way to the new address.")
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
    return yield* pages.redirect(visitor, emailPath, "Your account keeps its address.")
  })

  /** Page behind a mailed link: a look changes nothing, because programs that examine mails open links, too. */
  const behindLink = Effect.fnUntraced(function*(path: "/confirm-address" | "/keep-address", link: LinkPages) {
    yield* get(
      path,
      Effect.gen(function*() {
        const token = (yield* readQuery).get("token") ?? ""
        return Option.match(yield* link.find(token), {
          onNone: () => link.unusable,
          onSome: (found) => link.ask(token, found)
        })
      })
    )
    yield* post(
      path,
      Effect.gen(function*() {
        if (!isFromOurPages(config, yield* HttpServerRequest.HttpServerRequest)) return linkFromElsewherePage
        return yield* link.use((yield* readForm).get("token") ?? "").pipe(
          Effect.map(link.done),
          Effect.catchTags({
            LinkUnusable: () => Effect.succeed(link.unusable),
            Conflict: ({ message }) => Effect.succeed(takenPage(message))
          })
        )
      })
    )
  })

  yield* get(emailPath, Effect.flatMap(Effect.tap(pages.require, checkLocal), (visitor) => show(visitor)))
  yield* post(emailPath, request)
  yield* post(`${emailPath}/withdraw`, withdraw)
  yield* behindLink("/confirm-address", {
    find: changes.find,
    ask: confirmAddressPage,
    use: changes.confirm,
    done: addressConfirmedPage,
    unusable: changeUnusablePage
  })
  yield* behindLink("/keep-address", {
    find: changes.findObjection,
    ask: keepAddressPage,
    use: changes.object,
    done: addressKeptPage,
    unusable: objectionUnusablePage
  })
}))

interface LinkPages {
  readonly find: (token: string) => Effect.Effect<Option.Option<MailedLink>>
  readonly ask: (token: string, link: MailedLink) => Response
  readonly use: (token: string) => Effect.Effect<MailedLink, LinkUnusable | Conflict>
  readonly done: (link: MailedLink) => Response
  readonly unusable: Response
}

const takenPage = (what: string) =>
  failurePage({
    status: 409,
    title: "This address is in use",
    what,
    remedy: "Sign in to the account that has it, or choose another address.",
    next: { href: emailPath, label: "Change the address" }
  })

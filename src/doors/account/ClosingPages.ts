import { Effect } from "effect"
import { Deletion } from "../../core/accounts/local/Deletion.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import { signedOut, type Visitor } from "../session/PageSession.ts"
import { expireCookie } from "../session/SessionCookie.ts"
import { closedPage, closingBody } from "./ClosingView.ts"
import { onlyLocal } from "./OnlyLocal.ts"
import { currentPasswordCheck } from "./PasswordFields.ts"

/** Closing one's own local account: `/account/close`. */
export const ClosingPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const config = yield* AppConfig
  const deletion = yield* Deletion
  const checkCurrent = yield* currentPasswordCheck
  const checkLocal = yield* onlyLocal

  const show = ({ account, viewer }: Visitor, problem?: BadRequest | Conflict | NotFound) =>
    Effect.map(deletion.inspect(account.id), (belongings) =>
      page({
        title: text("closing"),
        viewer,
        problem,
        body: closingBody({ account, belongings, problem, viewer })
      }))

  const ask = Effect.gen(function*() {
    const visitor = yield* pages.require
    yield* checkLocal(visitor)
    return yield* show(visitor, restoredForm(visitor.viewer.restored, closePath, () => ({})).problem)
  })

  const close = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    yield* checkLocal(visitor)
    const { account, session } = visitor
    return yield* checkCurrent(account, fields).pipe(
      Effect.andThen(deletion.close(account, session, fields.get("apps") !== undefined)),
      Effect.as(expireCookie(config)(closedPage)),
      Effect.catchTag("SessionEnded", () => Effect.fail(signedOut)),
      Effect.catchTag(["BadRequest", "Conflict", "NotFound"], (problem) => show(visitor, problem))
    )
  })

  yield* get(closePath, ask)
  yield* post(closePath, close)
}))

const closePath = "/account/close"

import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { Deletion } from "../../core/accounts/Deletion.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { closedPage, closingBody, keptElsewherePage } from "./ClosingView.ts"
import { pageRoutes, problemStatus } from "./PageRoutes.ts"
import { PageSession, signedOut, type Visitor } from "./PageSession.ts"
import { currentPasswordCheck } from "./PasswordFields.ts"
import { expireCookie } from "./SessionCookie.ts"

/** Closing one's own local account: `/account/close`. */
export const ClosingPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const config = yield* AppConfig
  const local = Option.all([yield* Effect.serviceOption(Accounts), yield* Effect.serviceOption(Deletion)])
  // A platform that keeps its users itself has its own way to leave.
  if (Option.isNone(local) || !config.signIn.has("local")) return
  const [accounts, deletion] = local.value
  const { get, post } = yield* pageRoutes(router)
  const pages = yield* PageSession
  const checkCurrent = yield* currentPasswordCheck

  const onlyLocal = ({ account, viewer }: Visitor) =>
    Effect.flatMap(
      accounts.isLocal(account.id),
      (isLocal) => isLocal ? Effect.void : Effect.fail(keptElsewherePage(viewer))
    )

  const show = ({ account, viewer }: Visitor, problem?: BadRequest | Conflict | NotFound) =>
    Effect.map(deletion.inspect(account.id), (belongings) =>
      page({
        title: "Close the account",
        viewer,
        status: problemStatus(problem),
        body: closingBody({ account, belongings, problem, viewer })
      }))

  const ask = Effect.gen(function*() {
    const visitor = yield* pages.require
    yield* onlyLocal(visitor)
    return yield* show(visitor)
  })

  const close = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    yield* onlyLocal(visitor)
    const { account, session } = visitor
    return yield* checkCurrent(account, fields).pipe(
      Effect.andThen(deletion.close(account, session, fields.get("apps") !== undefined)),
      Effect.as(expireCookie(config)(closedPage)),
      Effect.catchTag("SessionEnded", () => Effect.fail(signedOut)),
      Effect.catchTag(["BadRequest", "Conflict", "NotFound"], (problem) => show(visitor, problem))
    )
  })

  yield* get("/account/close", ask)
  yield* post("/account/close", close)
}))

import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { pageRoutes } from "../session/PageRoutes.ts"
import { PageSession } from "../session/PageSession.ts"

/** Sessions of the user, which the page `/account` lists: `/account/sessions`. */
export const SessionPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { post } = yield* pageRoutes(router)
  const pages = yield* PageSession
  const sessions = yield* Sessions

  const end = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const ended = yield* sessions.endOne(visitor.account.id, fields.get("id") ?? "")
    return yield* pages.redirect(
      visitor,
      "/account",
      ended ? "That session is ended." : "That session had ended before."
    )
  })

  const endOthers = Effect.gen(function*() {
    const { visitor } = yield* pages.form
    yield* sessions.endAll(visitor.account.id, visitor.account.id, visitor.session.digest)
    return yield* pages.redirect(visitor, "/account", "You are signed out everywhere else.")
  })

  yield* post("/account/sessions/end", end)
  yield* post("/account/sessions/end-others", endOthers)
}))

import { Effect } from "effect"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageController } from "../session/PageRoutes.ts"

/** Sessions of the user, which the page `/account` lists: `/account/sessions`. */
export const SessionPages = pageController(Effect.fnUntraced(function*({ post, pages }) {
  const sessions = yield* Sessions

  const end = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const ended = yield* sessions.endOne(visitor.account.id, fields.get("id") ?? "")
    return yield* pages.redirect(
      visitor,
      "/account",
      text(ended ? "sessions.ended" : "sessions.endedBefore")
    )
  })

  const endOthers = Effect.gen(function*() {
    const { visitor } = yield* pages.form
    yield* sessions.endAll(visitor.account.id, visitor.account.id, visitor.session.digest)
    return yield* pages.redirect(visitor, "/account", text("sessions.othersEnded"))
  })

  yield* post("/account/sessions/end", end)
  yield* post("/account/sessions/end-others", endOthers)
}))

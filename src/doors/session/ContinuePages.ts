import { DateTime, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { Continuations } from "../../core/accounts/people/Continuations.ts"
import { longAgo } from "../../core/accounts/people/Sessions.ts"
import * as OncePerMinute from "../../foundation/log/OncePerMinute.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { noteReader, uiLocalesIn } from "../../foundation/web/ReaderWishes.ts"
import { expiredPage, notRecentPage, ofAnotherPage } from "./ContinueView.ts"
import { pageController, pathId } from "./PageRoutes.ts"
import { continuePath, needsRecent, restoringPath } from "./ReturnTo.ts"
import { continueTo } from "./SignInView.ts"

/** Way back to what waited for a sign-in: `/continue/:id`. To ask for it changes nothing, so it can be asked twice. */
export const ContinuePages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const continuations = yield* Continuations
  const report = yield* OncePerMinute.make((auth_time, count) =>
    Effect.logWarning("A user has signed in again in vain: the identity provider says no auth_time of just now", {
      auth_time,
      count
    })
  )

  yield* get(
    "/continue/:id",
    Effect.gen(function*() {
      const id = yield* pathId
      const { account, session, viewer } = yield* pages.require
      const found = yield* continuations.find(id)
      if (Option.isNone(found)) return expiredPage(viewer)
      const { form, location } = found.value
      yield* noteReader({ uiLocales: uiLocalesIn(location) })
      if (form !== undefined && form.userId !== account.id) return ofAnotherPage(viewer, continuePath(id))
      if (needsRecent((yield* HttpServerRequest.HttpServerRequest).url) && !session.isRecent) {
        const seconds = Math.floor(DateTime.toEpochMillis(session.authenticatedAt) / 1_000)
        yield* report(DateTime.Equivalence(session.authenticatedAt, longAgo) ? "none" : String(seconds))
        return notRecentPage(viewer, continuePath(id))
      }
      // Asks an app's request again: its question is decided by a button, and holds nothing to fill in.
      return form === undefined || location.startsWith("/auth/")
        ? continueTo(location)
        : seeOther(restoringPath(location, id))
    })
  )
}))

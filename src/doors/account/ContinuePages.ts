import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { Continuations } from "../../core/accounts/Continuations.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { expiredPage, ofAnotherPage } from "./ContinueView.ts"
import { pageRoutes } from "./PageRoutes.ts"
import { PageSession } from "./PageSession.ts"
import { continuePath, restoringPath } from "./ReturnTo.ts"
import { continueTo } from "./SignInView.ts"

/** The way back to what waited for a sign-in: `/continue/:id`. To ask for it changes nothing, so it can be asked twice. */
export const ContinuePages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get } = yield* pageRoutes(router)
  const continuations = yield* Continuations
  const pages = yield* PageSession

  yield* get(
    "/continue/:id",
    Effect.gen(function*() {
      const { id = "" } = yield* HttpRouter.params
      const { account, viewer } = yield* pages.require
      const found = yield* continuations.find(id)
      if (Option.isNone(found)) return expiredPage(viewer)
      const { form, location } = found.value
      if (form !== undefined && form.userId !== account.id) return ofAnotherPage(viewer, continuePath(id))
      // An app's request is asked anew: its question is decided by a button, and holds nothing to fill in.
      return form === undefined || location.startsWith("/auth/")
        ? continueTo(location)
        : seeOther(restoringPath(location, id))
    })
  )
}))

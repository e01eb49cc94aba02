import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { fromOurPages } from "../../foundation/http/SameOrigin.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readForm } from "../../foundation/web/ReadForm.ts"
import { PageSession } from "./PageSession.ts"

/**
 * Fields of a form whose answer takes the session's cookie away. A form of another site comes without that cookie
 * (`SameSite`) and looks like one of a browser that is signed out already: such forms count from pages of ours alone.
 */
export const signOutForm = Effect.gen(function*() {
  const isFromOurPages = yield* fromOurPages
  const pages = yield* PageSession

  return Effect.gen(function*() {
    if (Option.isSome(yield* pages.current)) return (yield* pages.form).fields
    if (!isFromOurPages(yield* HttpServerRequest.HttpServerRequest)) {
      return yield* Effect.fail(fromElsewherePage)
    }
    return yield* readForm
  })
})

const fromElsewherePage = failurePage({
  status: 403,
  title: text("failure.notAccepted"),
  what: text("failure.signOutFromElsewhere.what"),
  remedy: text("failure.signOutFromElsewhere.remedy")
})

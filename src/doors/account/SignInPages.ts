import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { SignIn } from "../../core/accounts/SignIn.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { isFromOurPages } from "../../foundation/http/SameOrigin.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { pageRoutes } from "./PageRoutes.ts"
import { PageSession } from "./PageSession.ts"
import { ownPath } from "./ReturnTo.ts"
import { expireCookie, setCookie } from "./SessionCookie.ts"
import { SignInContext } from "./SignInContext.ts"
import { continueTo, fromElsewherePage, signInPage, type SignInView, tooManyAttemptsPage } from "./SignInView.ts"

/** Signing in and out: `/sign-in`, `/sign-out`. */
export const SignInPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = yield* pageRoutes(router)
  const appNameFor = yield* SignInContext
  const config = yield* AppConfig
  const pages = yield* PageSession
  const signIn = yield* SignIn

  const showForm = (view: Omit<SignInView, "app">) =>
    Effect.map(appNameFor(view.returnTo), (app) => signInPage({ ...view, app: Option.getOrUndefined(app) }))

  const show = Effect.gen(function*() {
    const returnTo = ownPath((yield* readQuery).get("return_to"))
    return Option.isSome(yield* pages.current) ? seeOther(returnTo) : yield* showForm({ returnTo })
  })

  const start = Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!isFromOurPages(config, request)) return fromElsewherePage
    const fields = yield* readForm
    const returnTo = ownPath(fields.get("return_to"))
    const email = fields.get("email") ?? ""
    const password = Redacted.make(fields.get("password") ?? "", { label: "password" })
    const address = clientAddress(config, request)
    return yield* signIn.start({ email, password, address }).pipe(
      // A fresh session prevents session fixation: whoever knows the old token does not get the new one.
      Effect.tap(() => pages.end),
      Effect.map((token) => setCookie(config, token)(continueTo(returnTo))),
      Effect.catchTags({
        WrongCredentials: () => showForm({ returnTo, email, error: wrongCredentials, status: 403 }),
        TooManyAttempts: (error) => Effect.succeed(tooManyAttemptsPage(error)),
        TemporarilyUnavailable: Effect.die
      })
    )
  })

  const signOut = Effect.gen(function*() {
    if (Option.isSome(yield* pages.current)) {
      yield* pages.form
      yield* pages.end
    }
    return expireCookie(config)(seeOther("/sign-in"))
  })

  yield* get("/sign-in", show)
  yield* post("/sign-in", start)
  yield* post("/sign-out", signOut)
}))

const wrongCredentials = "This e-mail address and password do not belong together."

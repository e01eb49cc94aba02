import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { authTimeOf } from "../../../core/accounts/linked/AuthTime.ts"
import * as ProfileClaims from "../../../core/accounts/linked/ProfileClaims.ts"
import { spendAnswer } from "../../../core/accounts/linked/SpentAnswers.ts"
import { isSubject } from "../../../core/accounts/people/ExternalIdentity.ts"
import { ProviderLogout } from "../../../core/accounts/people/ProviderLogout.ts"
import { clockTolerance, longAgo } from "../../../core/accounts/people/Sessions.ts"
import { Budgets } from "../../../core/limits/Budgets.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { busy } from "../../../foundation/http/Unavailable.ts"
import * as OncePerMinute from "../../../foundation/log/OncePerMinute.ts"
import { seeOther } from "../../../foundation/web/Layout.ts"
import { noteReader, uiLocalesIn } from "../../../foundation/web/ReaderWishes.ts"
import { readForm, readQuery } from "../../../foundation/web/ReadForm.ts"
import { finishSignIn } from "../../session/FinishSignIn.ts"
import { pageRoutes } from "../../session/PageRoutes.ts"
import type { SignInRequest } from "../../session/SignInMethods.ts"
import { wayName } from "../../session/WayName.ts"
import { declinedPage, notBegunPage, refusedPage, unavailablePage } from "./FailureView.ts"
import * as OidcProvider from "./OidcProvider.ts"
import * as PendingSignIns from "./PendingSignIns.ts"
import { AnswerRefused, type ProviderUnavailable, withoutEnd } from "./ProviderFailure.ts"

type Response = HttpServerResponse.HttpServerResponse

/**
 * Sign-in at the OpenID Connect provider of the platform, with this server as its client (OpenID Connect Core 1.0
 * §3.1).
 */
export const oidc = Effect.gen(function*() {
  const router = yield* HttpRouter.HttpRouter
  const { get, pages } = yield* pageRoutes(router)
  const clock = yield* DatabaseClock
  const config = yield* AppConfig
  const finish = yield* finishSignIn
  const pendingSignIns = yield* PendingSignIns.make
  const logout = yield* ProviderLogout
  const budgets = yield* Budgets
  const spend = yield* spendAnswer
  const provider = yield* OidcProvider.make
  const { host } = provider
  const name = wayName("oidc", host)

  const reportUnavailable = yield* OncePerMinute.make((reason, count) =>
    Effect.logWarning("Nobody can sign in: the OpenID Connect provider cannot be used", { reason, count })
  )
  const reportAuthTime = yield* OncePerMinute.make((reason, count) =>
    Effect.logWarning("An auth_time of the OpenID Connect provider was left out", { reason, count })
  )
  const unavailable = (returnTo: string) => ({ reason }: ProviderUnavailable) =>
    Effect.as(reportUnavailable(reason), unavailablePage(name, returnTo))

  const begin = Effect.fnUntraced(function*({ loginHint, prompt: wanted, returnTo, uiLocales }: SignInRequest) {
    const prompt = passedOn(wanted)
    const chooses = prompt?.includes("select_account") === true
    const { keep, pending } = yield* pendingSignIns.begin({ returnTo, ...chooses && { chooses } })
    return yield* provider.authorizationUrl(pending, { loginHint, prompt, uiLocales }).pipe(
      Effect.map(({ href }) => keep(seeOther(href))),
      Effect.catchTag("ProviderUnavailable", unavailable(returnTo))
    )
  })

  /**
   * A provider that does not say when the user signed in may have asked for nothing: such a sign-in is never recent.
   * Asked with `max_age` it has to say (OpenID Connect Core 1.0 §2).
   */
  const authenticatedAtOf = Effect.fnUntraced(function*({ auth_time: claim }: OidcProvider.Claims) {
    const said = authTimeOf(claim, yield* clock.now, clockTolerance)
    if (Option.isNone(said) && claim !== undefined) yield* reportAuthTime("no past time in seconds")
    return Option.getOrElse(said, () => longAgo)
  })

  const reportRefused = yield* OncePerMinute.make((reason, count) =>
    Effect.logInfo("Refused a sign-in", { reason, count })
  )
  const reportDeclined = yield* OncePerMinute.make((error, count) =>
    Effect.logInfo("The OpenID Connect provider signed nobody in", { error, count })
  )

  // A browser that loads an answer again is signed in by now.
  const unless = (isSignedIn: boolean, page: Response, returnTo = "/") => isSignedIn ? seeOther(returnTo) : page

  const callback = Effect.gen(function*() {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const isSignedIn = Effect.map(pages.current, Option.isSome)
    const found = yield* pendingSignIns.find((yield* readQuery).get("state") ?? "")
    if (Option.isNone(found)) return unless(yield* isSignedIn, notBegunPage)
    const { chooses = false, returnTo, state } = found.value
    yield* noteReader({ uiLocales: uiLocalesIn(returnTo) })
    // Each answer is requests to the provider, and a browser that has begun a sign-in can make up any number of them.
    yield* budgets.spend("answer")
    if (!(yield* spend(state))) return unless(yield* isSignedIn, refusedPage(name, returnTo), returnTo)
    return yield* Effect.gen(function*() {
      const claims = yield* provider.redeem(new URL(config.authUrl + url), found.value)
      if (!isSubject(claims.sub)) return yield* new AnswerRefused({ reason: "its sub is longer than 255 characters" })
      const identity = yield* ProfileClaims.identityOf({ claims, issuer: claims.iss, subject: claims.sub })
      return yield* finish(identity, {
        way: "oidc",
        returnTo,
        sid: sidOf(claims),
        authenticatedAt: yield* authenticatedAtOf(claims)
      })
    }).pipe(
      Effect.provideService(AppConfig, config),
      Effect.catchTags({
        AnswerRefused: ({ reason }) => Effect.as(reportRefused(reason), refusedPage(name, returnTo)),
        ProviderUnavailable: unavailable(returnTo),
        SignInDeclined: ({ error }) =>
          // Some providers refuse a prompt that they do not know. Asking the user again lets them choose, too.
          chooses && error === "invalid_request"
            ? begin({ returnTo, prompt: "login" })
            : Effect.as(reportDeclined(error), declinedPage(name, error, returnTo))
      })
    )
  })

  const reportLogout = yield* OncePerMinute.make((reason, count) =>
    reason === withoutEnd
      ? Effect.logWarning(`Refused a logout token: ${reason}`, { count })
      : Effect.logInfo("Refused a logout token", { reason, count })
  )

  const endSessions = Effect.gen(function*() {
    const fields = yield* Effect.catch(readForm, () => new AnswerRefused({ reason: "it is no form" }))
    const said = yield* provider.readLogoutToken(fields.get("logout_token") ?? "")
    if (!(yield* logout.end(said))) return yield* new AnswerRefused({ reason: "it was used before" })
    return HttpServerResponse.empty({ status: 200, headers: noStore })
  }).pipe(Effect.catchTags({
    AnswerRefused: ({ reason }) => Effect.as(reportLogout(reason), notLoggedOut),
    ProviderUnavailable: ({ reason }) => Effect.as(reportUnavailable(reason), later)
  }))

  yield* get(OidcProvider.callbackPath, callback)
  yield* router.add("POST", "/sign-in/oidc/back-channel-logout", endSessions)
  return [{ id: "oidc", label: host, begin }]
})

/**
 * What the app wants of the sign-in, as far as it is the provider's business: consent is asked here, and with `none` a
 * user who is not signed in there would get an error in place of a page (OpenID Connect Core 1.0 §3.1.2.1).
 */
const passedOn = (prompt = ""): string | undefined =>
  prompt.split(" ").filter((value) => value === "login" || value === "select_account").join(" ") || undefined

// Answers of OpenID Connect Back-Channel Logout 1.0 §2.8, and one that has the provider try again.
const noStore = { "cache-control": "no-store" }
const notLoggedOut = HttpServerResponse.jsonUnsafe(
  { error: "invalid_request", error_description: "this is no logout token that can be used here" },
  { status: 400, headers: noStore }
)
const later = HttpServerResponse.jsonUnsafe(
  { error: busy.code, error_description: "the keys of the provider cannot be had" },
  { status: busy.status, headers: { ...noStore, ...busy.headers } }
)

const sidOf = ({ sid }: OidcProvider.Claims): string | undefined => typeof sid === "string" ? sid : undefined

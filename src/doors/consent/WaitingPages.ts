import { DateTime, Effect, Option, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import { ReviewWishes, tooManyWishes } from "../../core/clients/review/ReviewWishes.ts"
import { Arrivals, type Awaited } from "../../core/consent/Arrivals.ts"
import { validateClient } from "../../core/consent/AuthorizationRequest.ts"
import { Consent } from "../../core/consent/Consent.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { noteReader, uiLocalesIn } from "../../foundation/web/ReaderWishes.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { ofAnotherPage } from "../session/ContinueView.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { flowRefusalPage } from "./ErrorPages.ts"
import {
  approvedPage,
  intervalAfter,
  isOld,
  mayGoBack,
  still,
  waitingOverPage,
  type WaitingPage,
  waitingPage,
  waitingPath
} from "./WaitingView.ts"

/**
 * Page on which a user waits for the review of what an app asks for: `/auth/oauth2/waiting/:id`. It leads to consent,
 * and never past it; an app that was never approved hears nothing from it.
 */
export const WaitingPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const arrivals = yield* Arrivals
  const catalogue = yield* Catalogue
  const consent = yield* Consent
  const desk = yield* ReviewDesk
  const wishes = yield* ReviewWishes

  /** Request of the path, if it is this user's; fails with the page to show instead. */
  const find = Effect.fnUntraced(function*({ account, viewer }: Visitor) {
    const id = yield* pathId
    const request = yield* wishes.findRequest(id)
    if (Option.isNone(request)) return yield* Effect.fail(waitingOverPage(viewer))
    if (request.value.userId !== account.id) return yield* Effect.fail(ofAnotherPage(viewer, waitingPath(id)))
    yield* noteReader({ uiLocales: uiLocalesIn(request.value.location) })
    const awaited = yield* arrivals.look(request.value)
    return yield* Effect.mapError(Effect.fromOption(awaited), () => waitingOverPage(viewer))
  })

  const show = Effect.fnUntraced(function*(
    visitor: Visitor,
    awaited: Awaited,
    more: Pick<WaitingPage, "looksAgain" | "isStill" | "failed">
  ) {
    const { client, standing } = awaited
    return waitingPage({
      catalogue,
      visitor,
      awaited,
      place: standing._tag === "Waits" ? yield* desk.waiting(client) : Option.none(),
      usual: standing._tag === "Open" ? Option.getOrUndefined(yield* desk.usualReview) : undefined,
      ...more
    })
  })

  const look = Effect.gen(function*() {
    const visitor = yield* pages.require
    const query = yield* readQuery
    const awaited = yield* find(visitor)
    const { client, request, standing, wish } = awaited
    const now = yield* DateTime.now
    if (standing._tag === "Usable") {
      const location = toConsent(request.location)
      return isOld(request.keptAt, now) || query.get("from") === "mail"
        ? approvedPage({ awaited, visitor }, location)
        : seeOther(location)
    }
    if (standing._tag === "Unusable") {
      const { reason } = standing
      return flowRefusalPage({ client, reason, cause: reason }, false)
    }
    const isStill = query.has(still)
    const since = wish === undefined ? request.keptAt : DateTime.max(wish.askedAt, request.keptAt)
    const looksAgain = standing._tag !== "Waits" || isStill || isOld(since, now)
      ? undefined
      : intervalAfter(DateTime.distance(since, now))
    const shown = yield* show(visitor, awaited, { looksAgain, isStill })
    // In the header rather than in the page, which stays as it is for those who turn that off in their browser.
    return looksAgain === undefined ? shown : HttpServerResponse.setHeader(shown, "refresh", String(looksAgain))
  })

  const ask = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const awaited = yield* find(visitor)
    const { request: { clientId, id }, scopes, standing } = awaited
    const here = seeOther(waitingPath(id))
    if (standing._tag !== "Open") return here
    const reason = fields.get("reason") ?? ""
    return yield* wishes.ask(visitor.account.id, clientId, scopes, reason).pipe(
      Effect.as(here),
      Effect.catchTags({
        BadRequest: (problem) =>
          show(visitor, awaited, { looksAgain: undefined, isStill: false, failed: { problem, reason } }),
        Conflict: (problem) =>
          problem.code === tooManyWishes.code
            ? show(visitor, awaited, { looksAgain: undefined, isStill: false, failed: { problem, reason } })
            // Reviewers have decided meanwhile: the page says what.
            : Effect.succeed(here),
        NotFound: () => Effect.succeed(here)
      })
    )
  })

  // The app hears what it would have heard without a review: an error, since what it asks for is not approved.
  const back = Effect.gen(function*() {
    const { visitor } = yield* pages.form
    const awaited = yield* find(visitor)
    const { client, request: { id, location }, sent, standing } = awaited
    const valid = validateClient(Option.some(client), sent.redirectUri)
    if (!mayGoBack({ awaited }) || Result.isFailure(valid)) return seeOther(waitingPath(id))
    if (standing._tag === "Usable") return seeOther(toConsent(location))
    const outcome = yield* consent.authorize(visitor, client, sent).pipe(
      Effect.catchTags({
        SessionEnded: () => Effect.flip(pages.signIn(waitingPath(id))),
        NotGuest: () => Effect.fail(seeOther(waitingPath(id)))
      })
    )
    return seeOther(outcome._tag === "Redirect" ? outcome.location : waitingPath(id))
  })

  yield* get("/auth/oauth2/waiting/:id", look)
  yield* post("/auth/oauth2/waiting/:id/ask", ask)
  yield* post("/auth/oauth2/waiting/:id/back", back)
}))

/** The request as it was sent, but for `prompt`: after a review the user is asked, whatever they have given before. */
const toConsent = (location: string): string =>
  /[?&]prompt=/.test(location)
    ? location.replaceAll(/([?&]prompt=)[^&]*/g, "$1consent")
    : `${location}&prompt=consent`

import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { ClientRegistry } from "../../core/clients/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/RefusedRequests.ts"
import { authorizationPath, queryOf, read, validateClient } from "../../core/consent/AuthorizationRequest.ts"
import { Consent } from "../../core/consent/Consent.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { pageRoutes } from "../account/PageRoutes.ts"
import { PageSession } from "../account/PageSession.ts"
import { ownPath, signInPath } from "../account/ReturnTo.ts"
import { expireCookie } from "../account/SessionCookie.ts"
import { consentPage, decisionPath, switchAccountPath } from "./ConsentView.ts"
import { noDecisionPage, noQuestionPage, unredirectablePage } from "./ErrorPages.ts"
import { recordRefusedRequest } from "./RecordRefusedRequest.ts"

/** The authorization endpoint (RFC 6749 §3.1) and the forms of its page. */
export const AuthorizationPages: Layer.Layer<
  never,
  never,
  HttpRouter.HttpRouter | AppConfig | ClientRegistry | Consent | PageSession | RefusedRequests
> = HttpRouter.use(Effect.fn(function*(router) {
  const { get, post } = pageRoutes(router)
  const config = yield* AppConfig
  const clients = yield* ClientRegistry
  const consent = yield* Consent
  const pages = yield* PageSession
  const refusedRequests = yield* RefusedRequests

  // Nothing leaves for the app before its address is vouched for, and nothing before the user has signed in.
  const authorize = Effect.gen(function*() {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const query = yield* Effect.fromResult(read(queryOf(url)))
    const client = yield* Effect.fromResult(validateClient(yield* clients.find(query.clientId), query.redirectUri))
      .pipe(
        Effect.tapError(recordRefusedRequest(refusedRequests, query))
      )
    const visitor = yield* pages.require
    const outcome = yield* consent.ask(visitor.session, client, query).pipe(
      Effect.catchTag("SessionEnded", () => Effect.fail(seeOther(signInPath(url))))
    )
    return outcome._tag === "Answer"
      ? seeOther(outcome.location)
      : consentPage({ client, question: outcome, visitor, path: url })
  }).pipe(Effect.catchTag("Unredirectable", (error) => Effect.succeed(unredirectablePage(error))))

  const decide = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const decision = fields.get("decision")
    if (decision !== "allow" && decision !== "deny") return noDecisionPage
    return seeOther(yield* consent.decide(visitor.session, fields.get("request") ?? "", decision))
  }).pipe(
    Effect.catchTags({
      NoQuestion: () => Effect.succeed(noQuestionPage),
      Unredirectable: (error) => Effect.succeed(unredirectablePage(error))
    })
  )

  const switchAccount = Effect.gen(function*() {
    const { fields } = yield* pages.form
    yield* pages.end
    return expireCookie(config)(seeOther(signInPath(ownPath(fields.get("return_to")))))
  })

  yield* get(authorizationPath, authorize)
  yield* post(decisionPath, decide)
  yield* post(switchAccountPath, switchAccount)
}))

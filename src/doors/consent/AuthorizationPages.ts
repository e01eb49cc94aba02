import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import { appUsers } from "../../core/consent/AppUsers.ts"
import {
  authorizationPath,
  queryOf,
  readRequest,
  type Unredirectable,
  type UnvalidatedRequest,
  validateClient
} from "../../core/consent/AuthorizationRequest.ts"
import { Consent } from "../../core/consent/Consent.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { pageController } from "../session/PageRoutes.ts"
import { ownPath } from "../session/ReturnTo.ts"
import { expireCookie } from "../session/SessionCookie.ts"
import { signOutForm } from "../session/SignOutForm.ts"
import { choiceIn } from "./ChoiceFields.ts"
import { consentPage, decisionPath, type FaultyChoice, switchAccountPath } from "./ConsentView.ts"
import { noDecisionPage, questionClosedPage, unredirectablePage } from "./ErrorPages.ts"

// Room of the authorization endpoint as people meet it: the consent page and its forms, the pages for errors that no
// app may learn, and the page of connected apps.

/** Authorization endpoint (RFC 6749 §3.1) and the forms of its page. */
export const AuthorizationPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const config = yield* AppConfig
  const clients = yield* ClientRegistry
  const consent = yield* Consent
  const usersOf = yield* appUsers
  const identities = yield* IdentitySource
  const readSignOut = yield* signOutForm
  const refusedRequests = yield* RefusedRequests

  const explain = (error: Unredirectable) =>
    Effect.map(pages.current, (visitor) => unredirectablePage(error, Option.getOrUndefined(visitor)?.account.id))

  // Nothing is sent to the app before its redirect URI is validated and the user has signed in.
  const ask = Effect.fnUntraced(function*(url: string, faulty?: FaultyChoice) {
    const sent = yield* Effect.fromResult(readRequest(queryOf(url)))
    const client = yield* Effect.fromResult(validateClient(yield* clients.find(sent.clientId), sent.redirectUri)).pipe(
      Effect.tapError(recordRefusedRequest(refusedRequests, sent))
    )
    const visitor = yield* pages.require
    const outcome = yield* consent.authorize(visitor.session, client, sent).pipe(
      Effect.catchTag("SessionEnded", () => Effect.flip(pages.signIn(url)))
    )
    if (outcome._tag === "Redirect") return seeOther(outcome.location)
    const owner = yield* identities.find(client.ownerId)
    const users = yield* usersOf(client.id)
    return consentPage({
      catalogue,
      client,
      owner,
      users,
      lifetimes: config,
      question: outcome,
      visitor,
      path: url,
      faulty
    })
  }, Effect.catchTag("Unredirectable", explain))

  const authorize = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => ask(url))

  const decide = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const choice = choiceIn(fields)
    if (choice === undefined) return noDecisionPage
    return yield* consent.decide(visitor.session, fields.get("request") ?? "", choice).pipe(
      Effect.map(seeOther),
      Effect.catchTags({
        NothingChosen: () => ask(ownPath(fields.get("return_to")), { end: choice.end }),
        QuestionClosed: () => Effect.succeed(questionClosedPage),
        Unredirectable: explain
      })
    )
  })

  const switchAccount = Effect.gen(function*() {
    const fields = yield* readSignOut
    yield* pages.end
    return expireCookie(config)(yield* pages.signInAsAnother(ownPath(fields.get("return_to"))))
  })

  yield* get(authorizationPath, authorize)
  yield* post(decisionPath, decide)
  yield* post(switchAccountPath, switchAccount)
}))

/** Tells the owner of an app why its users saw an error page instead of returning to the app. */
const recordRefusedRequest =
  (refusedRequests: RefusedRequests["Service"], { clientId, redirectUri }: UnvalidatedRequest) =>
  ({ reason }: Unredirectable) =>
    refusedRequests.record({
      clientId,
      endpoint: "authorize",
      error: reason,
      reason: reason === "redirect-uri-unregistered"
        ? `redirect_uri is not registered: ${RedirectUri.withoutSecrets(redirectUri)}`
        : `the app cannot be used: ${reason.replace("client-", "it is ")}`
    })

import { Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import { appUsers } from "../../core/consent/AppUsers.ts"
import { Arrivals } from "../../core/consent/Arrivals.ts"
import {
  authorizationPath,
  queryOf,
  readRequest,
  type Unredirectable,
  type UnvalidatedRequest,
  validateClient
} from "../../core/consent/AuthorizationRequest.ts"
import { Consent } from "../../core/consent/Consent.ts"
import { causeOf, type FlowRefusal } from "../../core/consent/FlowRefusal.ts"
import { lifetimeOf } from "../../core/consent/TestGrants.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { pageField } from "../../foundation/web/FormFields.ts"
import { html, type Phrase } from "../../foundation/web/Html.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageController } from "../session/PageRoutes.ts"
import { ownPath } from "../session/ReturnTo.ts"
import { expireCookie } from "../session/SessionCookie.ts"
import { signOutForm } from "../session/SignOutForm.ts"
import { choiceIn } from "./ChoiceFields.ts"
import { consentPage, decisionPath, type FaultyChoice, switchAccountPath } from "./ConsentView.ts"
import { flowRefusalPage } from "./ErrorPages.ts"
import { waitingPath } from "./WaitingView.ts"

// Room of the authorization endpoint as people meet it: the consent page and its forms, the pages for errors that no
// app may learn, and the page of connected apps.

/** Authorization endpoint (RFC 6749 §3.1) and the forms of its page. */
export const AuthorizationPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const config = yield* AppConfig
  const arrivals = yield* Arrivals
  const clients = yield* ClientRegistry
  const consent = yield* Consent
  const usersOf = yield* appUsers
  const identities = yield* IdentitySource
  const readSignOut = yield* signOutForm
  const refusedRequests = yield* RefusedRequests

  /** Page of an error that no app may learn, which is kept for its owner and for support. */
  const explain = Effect.fnUntraced(function*(
    { client, reason }: FlowRefusal,
    redirectUri?: string,
    more: { readonly cause?: string; readonly what?: Phrase } = {}
  ) {
    const visitor = Option.getOrUndefined(yield* pages.current)?.account.id
    const { cause = causeOf(reason, redirectUri), what } = more
    yield* refusedRequests.record({
      clientId: client?.id,
      isKnown: client !== undefined,
      userId: visitor,
      endpoint: "authorize",
      error: reason,
      reason: cause
    })
    const isOwn = client !== undefined && visitor !== undefined &&
      (yield* clients.roleOf(visitor, client)) !== undefined
    return flowRefusalPage({ client, reason, cause, what }, isOwn)
  })

  const findNamed = (id: string | undefined) =>
    id === undefined ? Effect.succeed(undefined) : Effect.map(clients.find(id), Option.getOrUndefined)

  const explainUnredirectable = ({ client, named, reason }: Unredirectable, redirectUri?: string) =>
    Effect.flatMap(
      client === undefined ? findNamed(named) : Effect.succeed(client),
      (client) => explain({ client, reason }, redirectUri)
    )

  const explainNotGuest = ({ client }: { readonly client: Client }) => explain({ client, reason: "client-test" })

  /**
   * App of the request. One that came by itself is known from here on, and its user waits on a page of their own until
   * reviewers have approved what it asks for.
   */
  const arrive = Effect.fnUntraced(function*(url: string, sent: UnvalidatedRequest) {
    if (!(yield* arrivals.isAwaited(sent.clientId))) return yield* clients.find(sent.clientId)
    const { account } = yield* pages.require
    const arrival = yield* arrivals.arrive(account.id, sent, url).pipe(
      Effect.catchTags({
        DocumentRefused: ({ field, reason: { message, rule } }) => {
          const address = html`<bdi>${sent.clientId}</bdi>`
          const label = field === undefined
            ? text("waitingApp.document", { address })
            : text("waitingApp.document.field", { address, field: html`<code>${field}</code>` })
          return Effect.flatMap(
            explain({ client: undefined, reason: "document-refused" }, undefined, {
              cause: `${field ?? "the document at client_id"} ${message}`,
              what: faultText(label, { path: field ?? "client_id", message, rule })
            }),
            Effect.fail
          )
        },
        RequestFaulty: ({ cause, client }) =>
          Effect.flatMap(explain({ client, reason: "request-faulty" }, undefined, { cause }), Effect.fail)
      })
    )
    return arrival._tag === "Usable"
      ? Option.some(arrival.client)
      : yield* Effect.fail(seeOther(waitingPath(arrival.request.id)))
  })

  // Nothing is sent to the app before its redirect URI is validated and the user has signed in.
  const ask = Effect.fnUntraced(
    function*(url: string, faulty?: FaultyChoice) {
      const sent = yield* Effect.fromResult(readRequest(queryOf(url)))
      const valid = validateClient(yield* arrive(url, sent), sent.redirectUri)
      if (Result.isFailure(valid)) return yield* explainUnredirectable(valid.failure, sent.redirectUri)
      const client = valid.success
      const visitor = yield* pages.require
      const outcome = yield* consent.authorize(visitor, client, sent).pipe(
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
        lifetimes: { ...config, grantLifetime: lifetimeOf(client, config.grantLifetime) },
        question: outcome,
        visitor,
        path: url,
        faulty
      })
    },
    Effect.catchTags({
      Unredirectable: (error) => explainUnredirectable(error),
      NotGuest: (error) => explainNotGuest(error)
    })
  )

  const authorize = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => ask(url))

  const decide = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    // The app that the form names is shown if the question is gone; nothing is decided by it.
    const explainDecision = (reason: "question-closed" | "decision-missing") =>
      Effect.flatMap(findNamed(fields.get("client_id")), (client) => explain({ client, reason }))
    const choice = choiceIn(fields)
    if (choice === undefined) return yield* explainDecision("decision-missing")
    return yield* consent.decide(visitor, fields.get("request") ?? "", choice).pipe(
      Effect.map(seeOther),
      Effect.catchTags({
        NothingChosen: () => ask(ownPath(fields.get(pageField)), { end: choice.end, why: "nothing-chosen" }),
        OrganizationDecides: () =>
          ask(ownPath(fields.get(pageField)), { end: choice.end, why: "organization-decides" }),
        QuestionClosed: () => explainDecision("question-closed"),
        NotGuest: explainNotGuest,
        Unredirectable: (error) => explainUnredirectable(error)
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

import { DateTime, Effect, Result } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { approve } from "../../core/clients/life/Lifecycle.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { decidedScopes } from "../../core/clients/review/DecidedScopes.ts"
import { declinableOf } from "../../core/consent/Given.ts"
import { Grants } from "../../core/grants/Grants.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { framable } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { noteReader } from "../../foundation/web/ReaderWishes.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { consentPage } from "../consent/ConsentView.ts"
import { notFoundPage, pageController, pathId } from "../session/PageRoutes.ts"
import { asUser } from "./AsUser.ts"

/**
 * Consent page of an app as users would see it if the reviewer approved the app, or its change, now: for the frame on
 * the page of the app at the review desk. No question is opened and nothing is kept; the forms lead nowhere, as those
 * of all samples.
 */
export const ConsentPreviewPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const catalogue = yield* Catalogue
  const config = yield* AppConfig
  const review = yield* ClientReview
  const grants = yield* Grants
  const identities = yield* IdentitySource

  const show = Effect.gen(function*() {
    const visitor = yield* pages.requireReviewer
    const found = yield* Effect.option(review.get(yield* pathId))
    if (found._tag === "None") return gone(visitor)
    const client = approved(catalogue, found.value, yield* DateTime.now)
    const sent = (yield* readQuery).get("redirect_uri")
    const scopes = decidedScopes(client)
    yield* noteReader({ isSample: "preview" })
    return framable(consentPage({
      catalogue,
      client,
      owner: yield* identities.find(client.ownerId),
      users: yield* grants.usage(client.id),
      lifetimes: config,
      question: {
        _tag: "Question",
        resource: null,
        id: "",
        request: {
          clientId: client.id,
          redirectUri: client.redirectUris.find((uri) => uri === sent) ?? client.redirectUris[0] ?? client.website,
          scopes,
          resource: null,
          state: null,
          codeChallenge: null
        },
        offered: declinableOf(catalogue, client, scopes),
        withheld: [],
        mayAllow: true,
        grants: []
      },
      visitor: asUser(visitor),
      path: "/"
    }))
  })

  yield* get("/review/:id/consent", show)
}))

/** The app as an approval of what waits would make it serve. */
const approved = (catalogue: Catalogue, client: ManagedClient, now: DateTime.Utc): ManagedClient =>
  Result.match(approve(catalogue, client, client.version, now), {
    onSuccess: (transition) => transition?.client ?? client,
    // Nothing waits.
    onFailure: () => client
  })

const gone = notFoundPage({
  what: text("review.gone"),
  remedy: text("review.gone.remedy"),
  next: { href: "/review", label: text("review.queue") }
})

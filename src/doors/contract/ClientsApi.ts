import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AppCalls } from "../../core/clients/AppCalls.ts"
import { RefusalEndpoint, RefusedRequest } from "../../core/clients/life/RefusedRequest.ts"
import { ClientEdit, Registration } from "../../core/clients/life/Registration.ts"
import { ManagedClient } from "../../core/clients/records/Client.ts"
import { MessageText, OwnerMessage } from "../../core/clients/review/ReviewMessage.ts"
import { Waiting } from "../../core/clients/review/Waiting.ts"
import { SecretInfo } from "../../core/clients/secrets/SecretInfo.ts"
import { Lacking } from "../../core/consent/Lacking.ts"
import { Instant } from "../../domain/Instant.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { Authenticated } from "./CurrentUser.ts"
import { cursor, ofClient, pageLimit, reference, since } from "./Parameters.ts"

/** A new app; `secret` is in this answer alone, and `null` for a public app. */
const Registered = Schema.Struct({ ...ManagedClient.fields, secret: Schema.NullOr(Schema.String) }).annotate({
  identifier: "RegisteredClient"
})

/** An app by itself; `waiting` is `null` where no reviewer is about to look at it. */
const OwnClient = Schema.Struct({ ...ManagedClient.fields, waiting: Schema.NullOr(Waiting) }).annotate({
  identifier: "OwnClient"
})

/** Maximum number of apps on a page, and as many as a page has if the caller names no limit. */
export const mostOnPage = 250

/** Maximum number of causes of refusals on a page. */
const mostCauses = 100

/** The cursor stands beside the data, which callers who know no pages read as they always did. */
const OwnedClients = Schema.Struct({
  ...success(Schema.Array(ManagedClient)).fields,
  nextCursor: Schema.NullOr(Schema.String)
})

const RefusedRequests = Schema.Struct({
  ...success(Schema.Array(RefusedRequest)).fields,
  nextCursor: Schema.NullOr(Schema.String)
})

const LackingScopes = Schema.Struct({ ...Lacking.fields, link: Schema.String }).annotate({
  identifier: "LackingScopes"
})

const Thread = Schema.Struct({
  messages: Schema.Array(OwnerMessage),
  isAsked: Schema.Boolean,
  takesAnswers: Schema.Boolean
}).annotate({ identifier: "OwnerThread" })

const NewSecret = Schema.Struct({ ...SecretInfo.fields, secret: Schema.String }).annotate({ identifier: "NewSecret" })

/** Address of one secret. */
const ofSecret = {
  ...ofClient,
  secretId: Schema.String.annotate({ description: "The id of the secret, as the list has it." })
}

/** Apps of the caller; handled by `ClientsHandlers`. */
export class ClientsApi extends HttpApiGroup.make("oauthClients")
  .add(
    HttpApiEndpoint.post("register", "/v2/oauth-clients", {
      payload: Registration,
      success: success(Registered).pipe(HttpApiSchema.status(201)),
      error: [refusals.badRequest, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Register an app",
      "It waits for review (`pending`) and cannot be used before it is approved. A confidential app gets its first secret, shown in this answer alone."
    )),
    HttpApiEndpoint.get("list", "/v2/oauth-clients", {
      query: {
        limit: pageLimit(mostOnPage),
        cursor
      },
      success: OwnedClients,
      error: refusals.badRequest
    }).annotateMerge(about(
      "List my apps",
      "The newest first. Give `nextCursor` back as `cursor` for the next page; it is null on the last.",
      [403, 413, 415]
    )),
    HttpApiEndpoint.get("get", "/v2/oauth-clients/:id", {
      params: ofClient,
      success: success(OwnClient),
      error: refusals.notFound
    }).annotateMerge(about(
      "Read one of my apps",
      "With the change of it that waits for review, if any, and its place in the queue.",
      [400, 403, 413, 415]
    )),
    HttpApiEndpoint.patch("edit", "/v2/oauth-clients/:id", {
      params: ofClient,
      payload: ClientEdit,
      success: success(ManagedClient),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Change one of my apps",
      "What is absent stays. On an approved app, more scopes or redirect URIs, fewer `optionalScopes`, and another name, tagline, logo, website, privacy policy, terms or contact wait for review in `change` while the approved version keeps serving; the rest holds at once. A scope that is no longer among `scopes` leaves `optionalScopes` by itself. `refreshGrace` is how long a replaced refresh token of a confidential app gets the same successor: `until-used`, or `short` where APIs verify its access tokens offline; a public app keeps `short`. Saving the `scopes` of a legacy app turns their validation on; when that breaks URLs or API calls that were seen, or too little was seen to know, it needs `breakOldUrls`. A rejected app goes back into review."
    )),
    HttpApiEndpoint.delete("remove", "/v2/oauth-clients/:id", {
      params: ofClient,
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("Delete one of my apps", "Its secrets, consents and tokens end at once.")),
    HttpApiEndpoint.post("resubmit", "/v2/oauth-clients/:id/resubmit", {
      params: ofClient,
      success: success(ManagedClient),
      error: [refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about("Submit a rejected app again", "As it is; to change it, edit it.")),
    HttpApiEndpoint.delete("withdrawChange", "/v2/oauth-clients/:id/change", {
      params: ofClient,
      success: success(ManagedClient),
      error: [refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about("Take back a change", "One that waits for review, or was refused.")),
    HttpApiEndpoint.get("thread", "/v2/oauth-clients/:id/messages", {
      params: ofClient,
      success: success(Thread),
      error: refusals.notFound
    }).annotateMerge(about(
      "Read the questions of reviewers",
      "And the answers to them, the oldest first. The review goes on once a question is answered.",
      [400, 403, 413, 415]
    )),
    HttpApiEndpoint.post("answer", "/v2/oauth-clients/:id/answers", {
      params: ofClient,
      payload: Schema.Struct({ text: MessageText }),
      success: success(OwnerMessage),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Answer a question of a reviewer",
      "The app is at the top of the review queue then. More can be added while the app waits for review, five answers in a row at most; 409 `not_asked` without a question."
    )),
    HttpApiEndpoint.get("listRefused", "/v2/oauth-clients/:id/refused-requests", {
      params: ofClient,
      query: {
        reference: Schema.optionalKey(reference),
        error: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))).annotate({
          description: "The error code of the answer, or the name of the page that the user saw instead."
        }),
        endpoint: Schema.optionalKey(RefusalEndpoint).annotate({
          description: "The endpoint that refused: `authorize` or `token`."
        }),
        since: Schema.optionalKey(since),
        limit: pageLimit(mostCauses, 50, "causes"),
        cursor
      },
      success: RefusedRequests,
      error: [refusals.badRequest, refusals.notFound]
    }).annotateMerge(about(
      "See why requests of an app were refused",
      "The causes of its refused authorization and token requests, the latest first, each with the `reference` of its latest request; never the user. Give `nextCursor` back as `cursor` for the next page; it is null on the last. They are kept for `OWNER_HISTORY_LIFETIME`; a request that was refused a second ago may not be there yet.",
      [403, 413, 415]
    )),
    HttpApiEndpoint.get("usage", "/v2/oauth-clients/:id/usage", {
      params: ofClient,
      success: success(AppCalls),
      error: refusals.notFound
    }).annotateMerge(about(
      "See what the scopes of an app are used for",
      "The calls of an app to the API and how many of them were refused, by day and by what they needed, and the scopes that nobody uses. Users are numbers. To drop scopes, change the app to the `scopes` that are left: that needs no review. Where not all calls are seen, `unused` is null and `unknown` says why. A call of the last `USAGE_INTERVAL` may not be there yet.",
      [400, 403, 413, 415]
    )),
    HttpApiEndpoint.get("lackingScopes", "/v2/oauth-clients/:id/lacking-scopes", {
      params: ofClient,
      success: success(LackingScopes),
      error: refusals.notFound
    }).annotateMerge(about(
      "Count the users who lack a scope",
      "Users whose access has not got what an approved app may ask for, as after its scopes were widened. They get it when the app asks them: send them `link`, which tells each of them what the app may ask for and leads to its website. Those who declined an optional scope have answered, and are told apart. Where `isComplete` is false, the numbers are the least.",
      [400, 403, 413, 415]
    )),
    HttpApiEndpoint.get("listSecrets", "/v2/oauth-clients/:id/secrets", {
      params: ofClient,
      success: success(Schema.Array(SecretInfo)),
      error: refusals.notFound
    }).annotateMerge(
      about("List the secrets of an app", "The oldest first; never a secret itself.", [400, 403, 413, 415])
    ),
    HttpApiEndpoint.post("generateSecret", "/v2/oauth-clients/:id/secrets", {
      params: ofClient,
      // Without a body it has no end.
      payload: [Schema.Null, Schema.Struct({ endsAt: Schema.optionalKey(Schema.NullOr(Instant)) })],
      success: success(NewSecret).pipe(HttpApiSchema.status(201)),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Generate a secret",
      "Both secrets work until one is revoked or ends; one that is overdue ends after a week. The secret is shown in this answer alone; an app has at most two."
    )),
    HttpApiEndpoint.patch("changeSecret", "/v2/oauth-clients/:id/secrets/:secretId", {
      params: ofSecret,
      payload: Schema.Struct({ endsAt: Schema.NullOr(Instant) }),
      success: success(SecretInfo),
      error: [refusals.badRequest, refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Change the end of a secret",
      "Or take it away (`null`). At its end a secret stops working; the last one of an app works on, and is overdue."
    )),
    HttpApiEndpoint.delete("revokeSecret", "/v2/oauth-clients/:id/secrets/:secretId", {
      params: ofSecret,
      success: success(Schema.Null),
      error: [refusals.notFound, refusals.conflict]
    }).annotateMerge(about("Revoke a secret", "At once. Tokens stay valid; the last secret cannot be revoked."))
  )
  .middleware(JsonInput)
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({ title: "OAuth clients", description: "Register apps and look after them." }))
{}

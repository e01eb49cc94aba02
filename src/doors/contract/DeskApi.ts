import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Claim } from "../../core/clients/review/Claim.ts"
import { MessageText, ReviewMessage } from "../../core/clients/review/ReviewMessage.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireReviewer } from "./CurrentUser.ts"
import { ofClient } from "./Parameters.ts"

const Thread = Schema.Struct({
  messages: Schema.Array(ReviewMessage),
  isAsked: Schema.Boolean,
  takesAnswers: Schema.Boolean,
  claim: Schema.NullOr(Claim)
}).annotate({ identifier: "ReviewThread" })

const message = {
  params: ofClient,
  payload: Schema.Struct({ text: MessageText }),
  success: success(ReviewMessage),
  error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
} as const

/** How reviewers work together on an app, and how they ask its owner; handled by `DeskHandlers`. */
export class DeskApi extends HttpApiGroup.make("reviewDesk")
  .add(
    HttpApiEndpoint.get("thread", "/v2/admin/oauth-clients/:id/messages", {
      params: ofClient,
      success: success(Thread),
      error: refusals.notFound
    }).annotateMerge(about(
      "Read what was written about an app",
      "Notes of reviewers, their questions to the owner, and the owner's answers, the oldest first; and who has claimed the app.",
      [400, 413, 415]
    )),
    HttpApiEndpoint.post("note", "/v2/admin/oauth-clients/:id/notes", message).annotateMerge(about(
      "Write a note",
      "For reviewers alone: the owner of the app never sees it."
    )),
    HttpApiEndpoint.post("ask", "/v2/admin/oauth-clients/:id/questions", message).annotateMerge(about(
      "Ask the owner",
      "The owner gets a mail and answers on the page of the app, or by API. Until they answer or change the app, it is `asked`: its clock stands, and it is not among those that wait. Refused with 409 `not_in_review` when nothing of the app waits, and `unanswered` after five questions in a row."
    )),
    HttpApiEndpoint.post("claim", "/v2/admin/oauth-clients/:id/claim", {
      params: ofClient,
      payload: Schema.Struct({ from: Schema.optionalKey(Schema.String) }),
      success: success(Claim),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict]
    }).annotateMerge(about(
      "Claim an app",
      "Shows the other reviewers who looks at it, for an hour or until the decision; a claim locks nothing. When another reviewer has it, the answer is 409 `claimed`: name them in `from` to take it over."
    )),
    HttpApiEndpoint.delete("release", "/v2/admin/oauth-clients/:id/claim", {
      params: ofClient,
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("Release an app", "Ends your own claim; another's stays."))
  )
  .middleware(JsonInput)
  .middleware(RequireReviewer)
  .annotateMerge(OpenApi.annotations({
    title: "Review desk",
    description: "For reviewers and administrators: claim apps, write notes, and ask owners."
  }))
{}

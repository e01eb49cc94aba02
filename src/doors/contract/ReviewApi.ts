import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account } from "../../core/accounts/Account.ts"
import { Difference } from "../../core/clients/ChangeDiff.ts"
import { ManagedClient } from "../../core/clients/Client.ts"
import { QueueState } from "../../core/clients/QueueState.ts"
import { ClientEdit, Reason } from "../../core/clients/Registration.ts"
import { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { RequireAdmin } from "./CurrentUser.ts"
import { neverAnswers } from "./NeverAnswers.ts"

const Page = Schema.Struct({
  clients: Schema.Array(ManagedClient),
  total: Schema.Int,
  page: Schema.Int,
  pages: Schema.Int
})

/** An app as a reviewer sees it: with its owner, and with what its waiting change would change. */
const Reviewed = Schema.Struct({
  ...ManagedClient.fields,
  owner: Schema.NullOr(Schema.Struct({
    id: Account.fields.id,
    name: Schema.String,
    username: Schema.String,
    email: Schema.String
  })),
  differences: Schema.Array(Difference),
  /** The progress of an app from before scopes; `null` for all others. */
  migration: Schema.NullOr(MigrationState)
})

const PageNumber = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

const version = Schema.Int.annotate({ description: "The version that was looked at: another one is refused with 409." })
const id = { id: Schema.String }
const decision = {
  params: id,
  success: success(ManagedClient),
  error: [refusals.badRequest, refusals.notFound, refusals.conflict]
} as const
const about = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** The decisions of administrators about apps; handled by `ReviewHandlers`. */
export class ReviewApi extends HttpApiGroup.make("review")
  .add(
    HttpApiEndpoint.get("queue", "/v2/admin/oauth-clients", {
      query: {
        state: Schema.optionalKey(QueueState),
        search: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))),
        page: Schema.optionalKey(PageNumber)
      },
      success: success(Page),
      error: refusals.badRequest
    }).annotateMerge(neverAnswers(413, 415)).annotateMerge(about(
      "The review queue",
      "What waits for a decision, the longest waiting first; other states with `state`. `search` finds part of a name or website, or a whole client or owner id."
    )),
    HttpApiEndpoint.get("review", "/v2/admin/oauth-clients/:id", {
      params: id,
      success: success(Reviewed),
      error: refusals.notFound
    })
      .annotateMerge(
        about(
          "Look at an app",
          "With its owner, and with what the change that waits would change. For a legacy app also what its requests were like."
        )
      )
      .annotateMerge(neverAnswers(400, 413, 415)),
    HttpApiEndpoint.post("approve", "/v2/admin/oauth-clients/:id/approve", {
      ...decision,
      payload: Schema.Struct({ version, breakOldUrls: ClientEdit.fields.breakOldUrls })
    }).annotateMerge(about(
      "Approve",
      "The app, or the change of it that waits. Scopes of a legacy app are judged again: what was safe when its owner saved them may not be so any more, and then the answer is 409 `old_urls_in_use` or `too_early` unless `breakOldUrls` is true."
    )),
    HttpApiEndpoint.post("reject", "/v2/admin/oauth-clients/:id/reject", {
      ...decision,
      payload: Schema.Struct({ version, reason: Reason })
    }).annotateMerge(about(
      "Reject",
      "The app, or the change of it that waits; the approved version keeps serving. The owner reads the reason."
    )),
    HttpApiEndpoint.post("suspend", "/v2/admin/oauth-clients/:id/suspend", {
      ...decision,
      payload: Schema.Struct({ version: Schema.optionalKey(version), reason: Reason })
    }).annotateMerge(about("Suspend", "Stops the use of an approved app and of its tokens at once.")),
    HttpApiEndpoint.post("resume", "/v2/admin/oauth-clients/:id/resume", {
      ...decision,
      payload: Schema.Struct({ version: Schema.optionalKey(version) })
    }).annotateMerge(about("Resume", "Lets a suspended app be used again."))
  )
  .middleware(JsonInput)
  .middleware(RequireAdmin)
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(OpenApi.annotations({ title: "Review", description: "For administrators: decide about apps." }))
{}

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Owner } from "../../core/accounts/people/Account.ts"
import { Difference } from "../../core/clients/life/ChangeDiff.ts"
import { ClientEdit, Reason } from "../../core/clients/life/Registration.ts"
import { mostShown, RelatedApp } from "../../core/clients/life/RelatedApp.ts"
import { ManagedClient } from "../../core/clients/records/Client.ts"
import { ChosenApps } from "../../core/clients/review/ChosenApps.ts"
import { FirstApproval, Undoable } from "../../core/clients/review/Decision.ts"
import type { Cause } from "../../core/clients/review/ReviewCheck.ts"
import type { LookResult, Seen, Unseen } from "../../core/clients/review/ReviewLook.ts"
import { ReviewWish } from "../../core/clients/review/ReviewWish.ts"
import { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import { AskedUse } from "../../core/usage/AskedUse.ts"
import { ClientId } from "../../domain/Ids.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { UnusedScopesPage } from "./AppsWithUnused.ts"
import { RequireReviewer } from "./CurrentUser.ts"
import { ofClient, pageNumber } from "./Parameters.ts"
import { ManyRejected, QueuePage, queueQuery } from "./QueuedApps.ts"

const reports = Schema.Int.annotate({
  description: "How many users have reported the app since a reviewer last dealt with that."
})

const CheckName = Schema.Literals(
  [
    "name_resembles",
    "name_mixes_scripts",
    "name_in_styled_letters",
    "name_of_product",
    "hosts_differ",
    "scheme_without_owner",
    "purpose_short",
    "purpose_names_no_area",
    "purpose_copied",
    "website_silent",
    "website_fails",
    "mail_host_throwaway",
    "owner_was_refused",
    "own_app"
  ] satisfies ReadonlyArray<Cause["check"]>
)

/** Reasons to look twice at an app. None refuses it by itself. */
const ReviewCheck = Schema.Struct({
  check: CheckName,
  /** Cause, as a sentence for people. */
  cause: Schema.String,
  /** Apps that the cause is about, ten at most. */
  apps: Schema.Array(RelatedApp),
  /** Approved apps that an approval has to name in its `acceptTwins`. */
  acceptTwins: Schema.Array(ClientId)
}).annotate({ identifier: "ReviewCheck" })

/** One side of an app that is looked at for each review, and what became of that. */
const ReviewLook = Schema.Struct({
  look: Schema.Literals(
    ["name", "redirects", "power", "purpose", "website", "mail", "owner"] satisfies ReadonlyArray<(Seen | Unseen)["of"]>
  ),
  /** Nothing stands out where nobody looked, so that is neither of the other two. */
  result: Schema.Literals(
    ["stands_out", "nothing_found", "not_looked"] satisfies ReadonlyArray<LookResult>
  ),
  /** What was looked at, or why it was not, as a sentence for people. */
  about: Schema.String,
  /** The checks that found something. */
  found: Schema.Array(CheckName)
}).annotate({ identifier: "ReviewLook" })

/** An app as a reviewer sees it: with its owner, what stands out, and what its waiting change would change. */
const Reviewed = Schema.Struct({
  ...ManagedClient.fields,
  owner: Schema.NullOr(Owner),
  differences: Schema.Array(Difference),
  /** Decision that the caller may undo; `null` where there is none. */
  undoable: Schema.NullOr(Undoable),
  /** First of two approvals of what waits, where that takes two (`REVIEW_TWO_PEOPLE`). */
  firstApproval: Schema.NullOr(FirstApproval),
  reports,
  /** Wishes of users who wait for the decision about an app that nobody registered, the first fifty. */
  wishes: Schema.Array(ReviewWish),
  checks: Schema.Array(ReviewCheck),
  looks: Schema.Array(ReviewLook),
  /** What it asks for against what it uses; `null` of an app that was never approved, or that nothing restricts. */
  use: Schema.NullOr(AskedUse),
  /** Progress of an app from before scopes; `null` for all others. */
  migration: Schema.NullOr(MigrationState)
}).annotate({ identifier: "ReviewedClient" })

const version = Schema.Int.annotate({ description: "The version that was looked at: another one is refused with 409." })
const decision = {
  params: ofClient,
  success: success(ManagedClient),
  error: [refusals.badRequest, refusals.notFound, refusals.conflict]
} as const
const acceptTwins = Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(mostShown))).annotate({
  description: "The ids of approved apps whose name users cannot tell from this one, as `checks` shows them."
})
/** Decisions of reviewers about apps; handled by `ReviewHandlers`. */
export class ReviewApi extends HttpApiGroup.make("review")
  .add(
    HttpApiEndpoint.get("queue", "/v2/admin/oauth-clients", {
      query: queueQuery,
      success: success(QueuePage),
      error: refusals.badRequest
    }).annotateMerge(about(
      "The review queue",
      "What waits for a decision, the longest waiting first; other states with `state`. Changes that wait or were rejected are searched, too. `counts` says how many apps the search and the filters find in each state.",
      [413, 415]
    )),
    HttpApiEndpoint.get("unused", "/v2/admin/unused-scopes", {
      query: { page: pageNumber },
      success: success(UnusedScopesPage),
      error: refusals.badRequest
    }).annotateMerge(about(
      "Scopes that apps hold and do not use",
      "Approved apps that reach everyone (`everyone` of a level in the catalogue) and have not used that for four weeks or more, the riskiest first. `null` where calls were not seen for so long, or not all of them: then nothing is called unused.",
      [413, 415]
    )),
    HttpApiEndpoint.get("review", "/v2/admin/oauth-clients/:id", {
      params: ofClient,
      success: success(Reviewed),
      error: refusals.notFound
    }).annotateMerge(about(
      "Look at an app",
      "With its owner, what it asks for against what it uses (`use`), what stands out (`checks`), what was looked at and what was not (`looks`), and what the change that waits would change. For a legacy app also what its requests were like.",
      [400, 413, 415]
    )),
    HttpApiEndpoint.post("askWebsite", "/v2/admin/oauth-clients/:id/ask-website", {
      params: ofClient,
      success: success(ReviewLook),
      error: [refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Ask the website",
      "Asks the app's website now whether it answers, and answers what that shows. Workers ask those of apps that wait for review once a day. No more than the status is read, and only from a public https address without a port; each one counts for `ACCOUNT_BUDGET`."
    )),
    HttpApiEndpoint.post("approve", "/v2/admin/oauth-clients/:id/approve", {
      ...decision,
      payload: Schema.Struct({
        version,
        breakOldUrls: ClientEdit.fields.breakOldUrls,
        acceptTwins,
        without: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
          description: "Scopes to leave out: any of a new app, and those that a change adds."
        })
      })
    }).annotateMerge(about(
      "Approve",
      "The app, or the change of it that waits. The owner hears of it when it can be undone no more (`undoable` of the app). Where it takes two reviewers, the first answer is the app as it was, with its `firstApproval`; the second may leave out more, or is 409 `approved_without`. Scopes of a legacy app are judged again: what was safe when its owner saved them may not be so any more, and then the answer is 409 `old_urls_in_use` or `too_early` unless `breakOldUrls` is true. An app whose users could not tell its name from that of an approved one is 409 `name_resembles` unless `acceptTwins` names that one."
    )),
    HttpApiEndpoint.post("reject", "/v2/admin/oauth-clients/:id/reject", {
      ...decision,
      payload: Schema.Struct({ version, reason: Reason })
    }).annotateMerge(about(
      "Reject",
      "The app, or the change of it that waits; the approved version keeps serving. The owner reads the reason."
    )),
    HttpApiEndpoint.post("rejectMany", "/v2/admin/oauth-clients/reject", {
      payload: ChosenApps,
      success: success(ManyRejected),
      error: refusals.badRequest
    }).annotateMerge(about(
      "Reject several apps",
      "Or changes of them, with one reason, which each owner reads. Each is a decision of its own, which can be undone by itself. Those that cannot be rejected are `leftOut` with the code that their rejection would be refused with: `version_conflict` if an app has changed meanwhile."
    )),
    HttpApiEndpoint.post("undoRejection", "/v2/admin/oauth-clients/:id/undo-rejection", {
      ...decision,
      payload: Schema.Struct({ version, reason: Reason })
    }).annotateMerge(about(
      "Take back a rejection",
      "The app, or the change of it, waits for review again at its old place in the queue; the owner reads the reason. Refused with 409 `not_rejected`, and `changed_since` when the app has changed since its change was rejected."
    )),
    HttpApiEndpoint.post("undo", "/v2/admin/oauth-clients/:id/undo", {
      ...decision,
      payload: Schema.Struct({ version, acceptTwins })
    }).annotateMerge(about(
      "Undo a decision",
      "The last decision about the app, if it was the caller's: the app is as it was before, nobody hears of the decision, and access that users gave because of an approval ends. Also takes back the caller's own first approval of two. Refused with 409 `decision_stands` once `REVIEW_UNDO_WINDOW` is over, `decided_by_another`, and `nothing_to_undo` when anything else has happened to the app since."
    )),
    HttpApiEndpoint.post("suspend", "/v2/admin/oauth-clients/:id/suspend", {
      ...decision,
      payload: Schema.Struct({ version: Schema.optionalKey(version), reason: Reason })
    }).annotateMerge(about("Suspend", "Stops the use of an approved app and of its tokens at once.")),
    HttpApiEndpoint.post("resume", "/v2/admin/oauth-clients/:id/resume", {
      ...decision,
      payload: Schema.Struct({ version: Schema.optionalKey(version), acceptTwins })
    }).annotateMerge(about(
      "Resume",
      "Lets a suspended app be used again. Its name may have been given to another app meanwhile: then as for Approve."
    )),
    HttpApiEndpoint.post("settleReports", "/v2/admin/oauth-clients/:id/settle-reports", {
      params: ofClient,
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about(
      "Settle the reports of users",
      "They call for no decision: the app leaves the state `reported` until another user reports it. Any decision does the same."
    ))
  )
  .middleware(JsonInput)
  .middleware(RequireReviewer)
  .annotateMerge(
    OpenApi.annotations({ title: "Review", description: "For reviewers and administrators: decide about apps." })
  )
{}

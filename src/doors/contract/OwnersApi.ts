import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Offer, Owners } from "../../core/clients/owners/CoOwner.ts"
import { ManagedClient } from "../../core/clients/records/Client.ts"
import { CoOwnerRole } from "../../core/clients/records/CoOwnerRole.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { Authenticated } from "./CurrentUser.ts"
import { ofClient } from "./Parameters.ts"

const ofCoOwner = {
  ...ofClient,
  accountId: Schema.String.annotate({ description: "The id of the co-owner's account." })
}

/** Co-owners of the caller's apps; handled by `OwnersHandlers`. */
export class OwnersApi extends HttpApiGroup.make("owners")
  .add(
    HttpApiEndpoint.get("list", "/v2/oauth-clients/:id/owners", {
      params: ofClient,
      success: success(Owners),
      error: refusals.notFound
    }).annotateMerge(about(
      "List the owners of an app",
      "Its first owner, its co-owners with their roles, and, for who may invite, those who have not answered. An `owner` may do everything, a `developer` everything but secrets, owners and deletion.",
      [400, 403, 413, 415]
    )),
    HttpApiEndpoint.post("invite", "/v2/oauth-clients/:id/owners/invitations", {
      params: ofClient,
      payload: Schema.Struct({
        person: Schema.String,
        role: CoOwnerRole,
        takesOver: Schema.optionalKey(Schema.Boolean)
      }),
      success: success(Owners),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Invite a co-owner",
      "By the address or the user name of their account. They accept on their own list of apps, and get no mail. The answer is the same whether or not there is such an account. With `takesOver`, which the first owner alone may set, accepting asks reviewers that the app be theirs."
    )),
    HttpApiEndpoint.delete("uninvite", "/v2/oauth-clients/:id/owners/invitations/:invitationId", {
      params: {
        ...ofClient,
        invitationId: Schema.String.annotate({ description: "The id of the invitation, as the list has it." })
      },
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("Take an invitation back", "Whoever was invited finds it no more.")),
    HttpApiEndpoint.patch("setRole", "/v2/oauth-clients/:id/owners/:accountId", {
      params: ofCoOwner,
      payload: Schema.Struct({ role: CoOwnerRole }),
      success: success(Owners),
      error: [refusals.badRequest, refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about("Change the role of a co-owner", "At once; they get a mail.")),
    HttpApiEndpoint.delete("removeOwner", "/v2/oauth-clients/:id/owners/:accountId", {
      params: ofCoOwner,
      success: success(Schema.Null),
      error: [refusals.notFound, refusals.conflict]
    }).annotateMerge(about(
      "Remove a co-owner",
      "Or leave, with the caller's own id, whatever their role. Secrets that they know go on working: replace those. The first owner stays until the app is another's (409 `first_owner`)."
    )),
    HttpApiEndpoint.put("transfer", "/v2/oauth-clients/:id/owners/transfer", {
      params: ofClient,
      payload: Schema.Struct({ accountId: Schema.String }),
      success: success(ManagedClient),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Give an app to a co-owner",
      "For its first owner. It is a change that waits for review, as `nextOwnerId` of `change`: nothing changes before a reviewer has approved it. Who gave it away stays a developer of it until they leave."
    )),
    HttpApiEndpoint.delete("withdrawTransfer", "/v2/oauth-clients/:id/owners/transfer", {
      params: ofClient,
      success: success(ManagedClient),
      error: [refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about("Keep an app after all", "While no reviewer has decided; other changes go on waiting.")),
    HttpApiEndpoint.get("offers", "/v2/owner-invitations", {
      success: success(Schema.Array(Offer))
    }).annotateMerge(about("List apps that I am invited to share", "The latest first.", [400, 403, 413, 415])),
    HttpApiEndpoint.post("accept", "/v2/owner-invitations/:id/accept", {
      params: ofClient,
      success: success(Schema.Struct({ name: Schema.String })),
      error: [refusals.notFound, refusals.tooManyRequests]
    }).annotateMerge(about("Become a co-owner", "The owners get a mail.")),
    HttpApiEndpoint.post("decline", "/v2/owner-invitations/:id/decline", {
      params: ofClient,
      success: success(Schema.Struct({ name: Schema.String })),
      error: refusals.notFound
    }).annotateMerge(about("Decline to be a co-owner", "The owners are not told."))
  )
  .middleware(JsonInput)
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({
    title: "Owners",
    description: "Who shares an app with its first owner, and whose it becomes."
  }))
{}

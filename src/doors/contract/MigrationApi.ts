import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ManagedClient } from "../../core/clients/records/Client.ts"
import { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { Authenticated } from "./CurrentUser.ts"
import { ofClient } from "./Parameters.ts"

/** Move of the caller's legacy apps to scopes (specification §5.6); handled by `MigrationHandlers`. */
export class MigrationApi extends HttpApiGroup.make("oauthClientMigration")
  .add(
    HttpApiEndpoint.get("state", "/v2/oauth-clients/:id/migration", {
      params: ofClient,
      query: {
        scope: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(3_000))).annotate({
          description: "Scopes with which the move is rehearsed, with spaces between. Nothing is changed."
        })
      },
      success: success(MigrationState),
      error: [refusals.badRequest, refusals.notFound]
    }).annotateMerge(about(
      "See how far a legacy app is",
      "What its authorization requests of the last days were like, the scopes that they named or that its API calls needed (`seen`), how many old grants live, which API calls were refused (`refusedCalls`) and, once scopes were saved, what was refused since, by cause. The `rehearsal` says how many calls of the last days, of how many users, would have been refused to tokens with the scopes of `scope`. The verdict is `too-early` until the app was observed for a while. When it is `safe-to-save`, save the scopes that are `suggested` with a PATCH of the app.",
      [403, 413, 415]
    )),
    HttpApiEndpoint.post("undo", "/v2/oauth-clients/:id/migration/undo", {
      params: ofClient,
      payload: Schema.Struct({ version: Schema.optionalKey(Schema.Int) }),
      success: success(ManagedClient),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Take back saved scopes",
      "For a while after they were saved: URLs without scope work again, as they did before."
    ))
  )
  .middleware(JsonInput)
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({
    title: "Migration to scopes",
    description: "Legacy apps, which were registered before there were scopes, and their move to them."
  }))
{}

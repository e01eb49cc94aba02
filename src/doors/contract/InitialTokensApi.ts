import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InitialToken } from "../../core/clients/dynamic/InitialToken.ts"
import { Instant } from "../../domain/Instant.ts"
import { Line } from "../../domain/Text.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireAdmin } from "./CurrentUser.ts"

const NewInitialToken = Schema.Struct({ ...InitialToken.fields, token: Schema.String }).annotate({
  identifier: "NewInitialToken"
})

/** Initial access tokens, for administrators; handled by `InitialTokensHandlers`. */
export class InitialTokensApi extends HttpApiGroup.make("initialTokens")
  .add(
    HttpApiEndpoint.get("list", "/v2/admin/initial-tokens", {
      success: success(Schema.Array(InitialToken))
    }).annotateMerge(about(
      "List initial access tokens",
      "Newest first; no token itself. Those that are used up or have ended stay in the list for a while.",
      [400, 413, 415]
    )),
    HttpApiEndpoint.post("create", "/v2/admin/initial-tokens", {
      payload: Schema.Struct({
        name: Line(1, 100),
        expiresAt: Schema.optionalKey(Schema.NullOr(Instant)),
        mostUses: Schema.optionalKey(
          Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })))
        )
      }),
      success: success(NewInitialToken).pipe(HttpApiSchema.status(201)),
      error: refusals.badRequest
    }).annotateMerge(about(
      "Create an initial access token",
      "Whoever has it may register apps at `registration_endpoint` (RFC 7591), where `DYNAMIC_REGISTRATION` is not off. The token itself (`token`) is shown in this answer only. It works until `expiresAt`, and for `mostUses` registrations."
    )),
    HttpApiEndpoint.delete("revoke", "/v2/admin/initial-tokens/:id", {
      params: { id: Schema.String.annotate({ description: "The id of the token, as the list has it." }) },
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about(
      "Revoke an initial access token",
      "It takes effect at once. Apps that registered with it stay."
    ))
  )
  .middleware(JsonInput)
  .middleware(RequireAdmin)
  .annotateMerge(OpenApi.annotations({
    title: "Initial access tokens",
    description: "For administrators: tokens with which apps register by themselves (RFC 7591 §1.2)."
  }))
{}

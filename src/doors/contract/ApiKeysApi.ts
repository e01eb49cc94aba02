import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiKey } from "../../core/accounts/people/ApiKey.ts"
import { Instant } from "../../domain/Instant.ts"
import { Line } from "../../domain/Text.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { Authenticated } from "./CurrentUser.ts"

const NewApiKey = Schema.Struct({ ...ApiKey.fields, key: Schema.String }).annotate({ identifier: "NewApiKey" })

/** API keys of the caller; handled by `ApiKeysHandlers`. */
export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/v2/api-keys", {
      success: success(Schema.Array(ApiKey))
    }).annotateMerge(
      about("List my API keys", "Newest first; no key itself. One that has ended stays in the list for a while.", [
        400,
        403,
        413,
        415
      ])
    ),
    HttpApiEndpoint.post("create", "/v2/api-keys", {
      payload: Schema.Struct({
        name: Line(1, 100),
        expiresAt: Schema.optionalKey(Schema.NullOr(Instant))
      }),
      success: success(NewApiKey).pipe(HttpApiSchema.status(201)),
      error: [refusals.badRequest, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(OpenApi.annotations({
      summary: "Create an API key",
      description:
        "Needs a session: an API key cannot make API keys. The key itself (`key`) is shown in this answer only. It works until `expiresAt`, or without one until it is revoked. An account whose role comes from a claim of its identity provider makes none without.",
      override: { security: [{ session: [] }] }
    })),
    HttpApiEndpoint.delete("revoke", "/v2/api-keys/:id", {
      params: {
        id: Schema.String.annotate({ description: "The id of the key, as the list has it." })
      },
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(
      about("Revoke an API key", "It takes effect at once. A key may revoke others of its account, and itself.")
    )
  )
  .middleware(JsonInput)
  .middleware(Authenticated)
  .annotateMerge(OpenApi.annotations({
    title: "API keys",
    description: "Keys with which scripts use the management API as the account that made them."
  }))
{}

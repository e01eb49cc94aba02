import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FoundRefusal } from "../../core/clients/life/RefusedRequest.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireAdmin } from "./CurrentUser.ts"
import { ofClient, reference } from "./Parameters.ts"

const Found = success(Schema.Array(FoundRefusal))

/** Refused requests of all apps, for the support of users; handled by `RefusedRequestsHandlers`. */
export class RefusedRequestsApi extends HttpApiGroup.make("refusedRequests")
  .add(
    HttpApiEndpoint.get("find", "/v2/admin/refused-requests", {
      query: { reference },
      success: Found,
      error: refusals.badRequest
    }).annotateMerge(about(
      "Find a refused request by its reference",
      "Requests of any app, or of none, with the user where a session, a code or a grant says who that was; the latest first. Several where a caller names its requests itself (`X-Request-Id`). They are kept for `OWNER_HISTORY_LIFETIME`; a request that was refused a second ago may not be there yet.",
      [413, 415]
    )),
    HttpApiEndpoint.get("ofClient", "/v2/admin/oauth-clients/:id/refused-requests", {
      params: ofClient,
      success: Found,
      error: refusals.notFound
    }).annotateMerge(about(
      "List the refused requests of any app",
      "The latest 100, each with its reference and its user, the latest first.",
      [400, 413, 415]
    ))
  )
  .middleware(JsonInput)
  .middleware(RequireAdmin)
  .annotateMerge(OpenApi.annotations({
    title: "Refused requests",
    description: "For administrators, as the support of users: why a request to authorize, or for tokens, was refused."
  }))
{}

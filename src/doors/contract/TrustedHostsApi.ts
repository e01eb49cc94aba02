import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TrustedHost } from "../../core/clients/documents/TrustedHost.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireReviewer } from "./CurrentUser.ts"

const host = Schema.String.annotate({ description: "The host, as it is in the `client_id` of its apps." })
  .check(Schema.isMaxLength(253))

/** Hosts whose apps that describe themselves need no review for the base set; handled by `TrustedHostsHandlers`. */
export class TrustedHostsApi extends HttpApiGroup.make("trustedHosts")
  .add(
    HttpApiEndpoint.get("list", "/v2/admin/trusted-hosts", {
      success: success(Schema.Array(TrustedHost))
    }).annotateMerge(about("See the trusted hosts", "By the alphabet.", [400, 413, 415])),
    HttpApiEndpoint.post("trust", "/v2/admin/trusted-hosts", {
      payload: Schema.Struct({ host }),
      success: success(Schema.Struct({ approved: Schema.Int })),
      error: [refusals.badRequest, refusals.conflict]
    }).annotateMerge(about(
      "Trust a host",
      "An app whose `client_id` is an https address at exactly this host is approved at once for the base set of scopes, and so are those that wait. 409 `host_shared` for a host below which strangers get names, and `host_takes_two` where approvals take two people (`REVIEW_TWO_PEOPLE`)."
    )),
    HttpApiEndpoint.delete("end", "/v2/admin/trusted-hosts/:host", {
      params: { host },
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("Trust a host no longer", "Apps that were approved meanwhile stay approved."))
  )
  .middleware(JsonInput)
  .middleware(RequireReviewer)
  .annotateMerge(OpenApi.annotations({
    title: "Trusted hosts",
    description: "Hosts whose apps that describe themselves need no review for the base set of scopes."
  }))
{}

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { jwksPath, metadataPath, openidPath, ServerMetadata } from "../oauth/ServerMetadata.ts"
import { about } from "./About.ts"

/** A set of public keys (RFC 7517 §5). */
const JsonWebKeySet = Schema.Struct({
  keys: Schema.Array(Schema.Record(Schema.String, Schema.String))
}).annotate({ identifier: "JsonWebKeySet" })

/** Documents that clients and resource servers discover; served by `MetadataRoutes`. */
export class MetadataApi extends HttpApiGroup.make("metadata")
  .add(
    HttpApiEndpoint.get("server", metadataPath, { success: ServerMetadata }).annotateMerge(
      about("The authorization server's metadata (RFC 8414)")
    ),
    HttpApiEndpoint.get("openid", openidPath, { success: ServerMetadata }).annotateMerge(about(
      "The same, where clients of OpenID Connect look (RFC 8414 §5)",
      "It claims nothing of OpenID Connect: there are no ID tokens."
    )),
    HttpApiEndpoint.get("keys", jwksPath, { success: JsonWebKeySet }).annotateMerge(about(
      "The keys that verify access tokens (RFC 7517)",
      "A key appears 15 minutes before it signs, and stays until its last token has died."
    ))
  )
  .annotateMerge(OpenApi.annotations({ title: "Metadata", description: "What clients and APIs discover." }))
{}

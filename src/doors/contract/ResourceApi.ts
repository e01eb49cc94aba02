import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ResourceMetadata, wellKnown } from "../resource/ResourceMetadata.ts"

/** Description of the API for clients that know only its address; served by `ResourceRoutes`. */
export class ResourceApi extends HttpApiGroup.make("resource")
  .add(
    HttpApiEndpoint.get("metadata", wellKnown, { success: ResourceMetadata })
      .annotateMerge(OpenApi.annotations({ summary: "Protected resource metadata (RFC 9728)" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Resource", description: "What the API tells about itself." }))
{}

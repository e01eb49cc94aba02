import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CatalogueDocument, cataloguePath } from "../resource/CatalogueDocument.ts"
import { ResourceMetadata, wellKnown } from "../resource/ResourceMetadata.ts"
import { about } from "./About.ts"

/** Description of the API for clients that know only its address; served by `ResourceRoutes` and `CatalogueRoute`. */
export class ResourceApi extends HttpApiGroup.make("resource")
  .add(
    HttpApiEndpoint.get("metadata", wellKnown, { success: ResourceMetadata })
      .annotateMerge(OpenApi.annotations({ summary: "Protected resource metadata (RFC 9728)" })),
    HttpApiEndpoint.get("catalogue", cataloguePath, { success: CatalogueDocument }).annotateMerge(about(
      "The catalogue: scopes, and the operations that need them",
      "For programs that check calls themselves. With `If-None-Match` the answer is 304 while nothing has changed."
    ))
  )
  .annotateMerge(OpenApi.annotations({ title: "Resource", description: "What the API tells about itself." }))
{}

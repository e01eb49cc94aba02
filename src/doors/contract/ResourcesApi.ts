import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NewResource, Resource, ResourceEdit } from "../../core/resources/Resource.ts"
import { ResourceUsage } from "../../core/resources/ResourceUsage.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireAdmin } from "./CurrentUser.ts"

const ofResource = { id: Schema.String.annotate({ description: "The id of the resource, not its identifier." }) }

/** A resource with the address of its metadata (RFC 9728 §3.1). */
const ListedResource = Schema.Struct({ ...Resource.fields, metadataUrl: Schema.String }).annotate({
  identifier: "ListedResource"
})

const UsedResource = Schema.Struct({ ...ListedResource.fields, usage: ResourceUsage }).annotate({
  identifier: "UsedResource"
})

const Credential = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  lastFour: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "ResourceCredential" })

/** A new credential; `credential` is in this answer alone. */
const NewCredential = Schema.Struct({ ...Credential.fields, credential: Schema.String }).annotate({
  identifier: "NewResourceCredential"
})

/** Resources with tokens of their own; handled by `ResourcesHandlers`. */
export class ResourcesApi extends HttpApiGroup.make("resources")
  .add(
    HttpApiEndpoint.get("list", "/v2/admin/resources", {
      success: success(Schema.Array(ListedResource))
    }).annotateMerge(about(
      "List resources",
      "By name. The API itself is always a resource and is not among them: tokens are for it where an app names none.",
      [400, 413, 415]
    )),
    HttpApiEndpoint.post("register", "/v2/admin/resources", {
      payload: NewResource,
      success: success(ListedResource).pipe(HttpApiSchema.status(201)),
      error: [refusals.badRequest, refusals.conflict]
    }).annotateMerge(about(
      "Register a resource",
      "An API or an MCP server that gets tokens of its own: apps name its identifier as `resource` (RFC 8707), and tokens for it have that as their `aud`. 409 `resource_taken` where there is one of this identifier."
    )),
    HttpApiEndpoint.get("get", "/v2/admin/resources/:id", {
      params: ofResource,
      success: success(UsedResource),
      error: refusals.notFound
    }).annotateMerge(about("Read a resource", "With what would end if it were removed.", [400, 413, 415])),
    HttpApiEndpoint.patch("edit", "/v2/admin/resources/:id", {
      params: ofResource,
      payload: ResourceEdit,
      success: success(ListedResource),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict]
    }).annotateMerge(about(
      "Change a resource",
      "Its name, its scopes or its base set; what is left out stays, and the identifier never changes. What users have given stays as it is: scopes that are taken away cannot be asked for again. With a `version`, an edit that another one came before is 409 `resource_changed`."
    )),
    HttpApiEndpoint.delete("remove", "/v2/admin/resources/:id", {
      params: ofResource,
      success: success(Schema.Struct({ grants: Schema.Int })),
      error: refusals.notFound
    }).annotateMerge(about(
      "Remove a resource",
      "What users gave for it ends at once, and so do its tokens and credentials. Answers how many grants have ended."
    )),
    HttpApiEndpoint.get("listCredentials", "/v2/admin/resources/:id/credentials", {
      params: ofResource,
      success: success(Schema.Array(Credential)),
      error: refusals.notFound
    }).annotateMerge(about(
      "List the credentials of a resource",
      "Programs with one of them may ask about the tokens of this resource (RFC 7662), and about no others.",
      [400, 413, 415]
    )),
    HttpApiEndpoint.post("createCredential", "/v2/admin/resources/:id/credentials", {
      params: ofResource,
      payload: Schema.Struct({ name: Schema.String }),
      success: success(NewCredential).pipe(HttpApiSchema.status(201)),
      error: [refusals.badRequest, refusals.notFound]
    }).annotateMerge(about(
      "Create a credential of a resource",
      "For introspection of its tokens, by one program. Only this answer has the credential itself."
    )),
    HttpApiEndpoint.delete("revokeCredential", "/v2/admin/resources/:id/credentials/:credentialId", {
      params: {
        ...ofResource,
        credentialId: Schema.String.annotate({ description: "The id of the credential, as the list has it." })
      },
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("Revoke a credential of a resource", "At once."))
  )
  .middleware(JsonInput)
  .middleware(RequireAdmin)
  .annotateMerge(OpenApi.annotations({
    title: "Resources",
    description: "For administrators: what has access tokens of its own beside the API (RFC 8707)."
  }))
{}

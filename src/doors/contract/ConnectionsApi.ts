import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failurePages, page, seeOther } from "./HtmlResponse.ts"

const client_id = Schema.String.annotate({ description: "The id of the app." })
const about = (summary: string) => OpenApi.annotations({ summary, override: { security: [{ session: [] }] } })

/** Pages on which users see and end the access of apps; served by `ConnectionsPages`. */
export class ConnectionsApi extends HttpApiGroup.make("connections")
  .add(
    HttpApiEndpoint.get("list", "/connections", {
      success: [page(200, "The apps and their scopes"), seeOther("To the sign-in")],
      error: failurePages
    }).annotateMerge(about("The apps with access to my account")),
    HttpApiEndpoint.get("confirm", "/connections/disconnect", {
      query: { client_id },
      success: [
        page(200, "Asks whether to disconnect the app"),
        seeOther("To the list, if the app has no access; or to the sign-in")
      ],
      error: failurePages
    }).annotateMerge(about("Ask before an app is disconnected")),
    HttpApiEndpoint.post("disconnect", "/connections/disconnect", {
      payload: Schema.Struct({
        csrf: Schema.String.annotate({ description: "The mark of the session, from the form" }),
        client_id
      }).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: seeOther("To the list"),
      error: [
        page(400, "The form cannot be read"),
        page(403, "Nobody is signed in, or the form does not carry the mark of the session"),
        page(413, "The form is larger than 64 KiB"),
        page(415, "The form was sent as another media type"),
        ...failurePages
      ]
    }).annotateMerge(about("Disconnect an app"))
  )
  .annotateMerge(OpenApi.annotations({
    title: "Connected apps",
    description: "Pages on which users see the apps with access to their account, and end it."
  }))
{}

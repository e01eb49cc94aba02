import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { failurePages, page, seeOther } from "./HtmlResponse.ts"

const client_id = Schema.String.annotate({ description: "The id of the app." })
const csrf = Schema.String.annotate({ description: "The mark of the session, from the form" })
const optional = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

/** List that somebody wants to see, and to come back to. */
const wish = {
  search: optional("Part of a name, or the beginning of the host of a website."),
  show: optional("Which apps: `all`, `changes`, `everyone`, `unused` or `legacy`."),
  sort: optional("`risk`, `used`, `unused` or `name`."),
  page: optional("From 1.")
}

/** Apps are chosen by the id of one, or by a field `app:<id>` for each of up to fifty. */
const others = { grant: optional("Id of one grant of the app, to end that alone."), ...wish }

const formFailures = [
  page(400, "The form cannot be read"),
  page(403, "Nobody is signed in, or the form does not carry the mark of the session"),
  page(413, "The form is larger than 64 KiB"),
  page(415, "The form was sent as another media type"),
  ...failurePages
] as const

const about = (summary: string) => OpenApi.annotations({ summary, override: { security: [{ session: [] }] } })

/** Pages on which users see and end the access of apps; served by `ConnectionsPages`. */
export class ConnectionsApi extends HttpApiGroup.make("connections")
  .add(
    HttpApiEndpoint.get("list", "/connections", {
      query: wish,
      success: [page(200, "The apps and their scopes"), seeOther("To the sign-in")],
      error: failurePages
    }).annotateMerge(about("The apps with access to my account")),
    HttpApiEndpoint.get("show", "/connections/apps/:id", {
      params: { id: client_id },
      success: [page(200, "The app, its scopes, its devices and what was allowed when"), seeOther("To the sign-in")],
      error: [page(404, "The app has no access to the account"), ...failurePages]
    }).annotateMerge(about("One of the apps with access to my account")),
    HttpApiEndpoint.get("more", "/connections/apps/:id/more", {
      params: { id: client_id },
      success: [page(200, "The scopes that the app may ask for as well, and its website"), seeOther("To the sign-in")],
      error: [page(404, "The app has no access to the account"), ...failurePages]
    }).annotateMerge(about("What one of these apps may ask me for as well")),
    HttpApiEndpoint.post("shorten", "/connections/apps/:id/end", {
      params: { id: client_id },
      payload: Schema.Struct({
        csrf,
        end: Schema.Literals(["day", "month"]).annotate({ description: "A day from now, or 30 days" })
      }).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: seeOther("To the app"),
      error: formFailures
    }).annotateMerge(about("Let the access of an app end sooner")),
    HttpApiEndpoint.get("confirm", "/connections/disconnect", {
      query: { client_id: Schema.optionalKey(client_id), ...others },
      success: [
        page(200, "Asks whether to disconnect the apps"),
        seeOther("To the list, if the app has no access; or to the sign-in")
      ],
      error: failurePages
    }).annotateMerge(about("Ask before an app is disconnected")),
    HttpApiEndpoint.post("disconnect", "/connections/disconnect", {
      payload: Schema.Struct({
        csrf,
        client_id: Schema.optionalKey(client_id),
        ...others
      }).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: seeOther("To the list"),
      error: formFailures
    }).annotateMerge(about("Disconnect apps, or one device of an app")),
    HttpApiEndpoint.get("unused", "/connections/unused", {
      success: [
        page(200, "The apps that were not used for six months, as far as that is known"),
        seeOther("To the sign-in")
      ],
      error: failurePages
    }).annotateMerge(about("Ask before the apps that were not used for six months are disconnected")),
    HttpApiEndpoint.post("endUnused", "/connections/unused", {
      payload: Schema.Struct({
        csrf,
        apps: optional("The apps that the page has shown; of these end those that still were not used.")
      }).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: seeOther("To the list"),
      error: formFailures
    }).annotateMerge(about("Disconnect the apps that were not used for six months"))
  )
  .annotateMerge(OpenApi.annotations({
    title: "Connected apps",
    description: "Pages on which users see the apps with access to their account, and end it."
  }))
{}

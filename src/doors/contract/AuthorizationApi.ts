import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { authorizationPath } from "../../core/consent/AuthorizationRequest.ts"
import { failurePages, page, seeOther } from "./HtmlResponse.ts"

const parameter = (description: string) => Schema.String.annotate({ description })

/** Page to which an app sends its user; served by `AuthorizationPages`. */
export class AuthorizationApi extends HttpApiGroup.make("authorization")
  .add(
    HttpApiEndpoint.get("authorize", authorizationPath, {
      query: {
        client_id: parameter("The app"),
        redirect_uri: parameter("Where the answer goes: one of the addresses that are registered for the app"),
        response_type: Schema.optionalKey(Schema.Literal("code")).annotate({
          description: "`code`, which it is if absent"
        }),
        response_mode: Schema.optionalKey(Schema.Literal("query")).annotate({
          description: "How the answer reaches the app: in the query of its address, always"
        }),
        scope: Schema.optionalKey(
          parameter("Separated by spaces or commas; only a legacy app whose scopes were not saved may leave it out")
        ),
        resource: Schema.optionalKey(
          parameter("Identifier of the resource that the access is for (RFC 8707 §2); the API if absent")
        ),
        state: Schema.optionalKey(parameter("Comes back as it was sent")),
        code_challenge: Schema.optionalKey(parameter("RFC 7636 §4.2; a public app must send it")),
        code_challenge_method: Schema.optionalKey(Schema.Literal("S256")).annotate({
          description: "How the challenge is made of the verifier: by SHA-256"
        }),
        prompt: Schema.optionalKey(parameter(
          "`consent`, `login` or `select_account`: the user decides anew, and with the latter two signs in again or chooses an account where the identity provider can; `none` is ignored, because an app learns nothing behind the user's back"
        )),
        login_hint: Schema.optionalKey(parameter("Who signs in, for the identity provider")),
        ui_locales: Schema.optionalKey(
          parameter("Languages of the pages that the user prefers (BCP 47), in order, separated by spaces")
        )
      },
      success: [
        page(200, "Asks the user for consent"),
        seeOther(
          "To the app with `code`, or with `error` and `error_description`, and with `state` and `iss`; or to the sign-in"
        )
      ],
      error: [
        page(400, "The address names no app, or none that is registered, or an address that is not registered for it"),
        page(403, "The app waits for review, was rejected or is suspended"),
        ...failurePages
      ]
    }).annotateMerge(OpenApi.annotations({
      summary: "Ask the user for access (RFC 6749 §4.1.1)",
      description: "Opened in the user's browser. An app learns of its own mistakes only at an address that is " +
        "registered for it; of all others, the user reads.",
      override: { security: [{ session: [] }, {}] }
    }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Authorization", description: "Where users decide about apps." }))
{}

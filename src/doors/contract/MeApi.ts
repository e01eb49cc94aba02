import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failures, success } from "../../foundation/http/Envelope.ts"
import { wire } from "../resource/Denied.ts"
import { needs } from "../resource/EndpointScope.ts"
import { profileScope, UserProfile } from "../resource/UserProfile.ts"

/** The call with which an app tries its access token; served by `MeRoute`. */
export class MeApi extends HttpApiGroup.make("me")
  .add(
    HttpApiEndpoint.get("read", "/v2/me", {
      success: success(UserProfile),
      error: [wire.tokenRefused, wire.callRefused, ...failures]
    })
      .annotateMerge(needs(profileScope))
      .annotateMerge(OpenApi.annotations({
        summary: "The authorized user's profile",
        description: "Shows an app that its credentials work. Errors carry WWW-Authenticate as RFC 6750 has it."
      }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Profile", description: "Who the token speaks for." }))
{}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { failures, success } from "../../foundation/http/Envelope.ts"
import { userinfoPath } from "../oauth/ServerMetadata.ts"
import { wire } from "../resource/Denied.ts"
import { needs } from "../resource/EndpointScope.ts"
import { UserClaims, UserProfile } from "../resource/UserProfile.ts"
import { about } from "./About.ts"

/** Scope of the built-in catalogue (specification §4.4); the served document names the one in force. */
const profileScope = "PROFILE_READ"

const errors = [wire.tokenRefused, wire.callRefused, ...failures] as const
const claims = about(
  "The authorized user's claims",
  "The profile in the standard form of OpenID Connect, for clients that know it; there are no ID tokens."
)

/** Calls with which an app tries its access token; served by `MeRoute`. */
export class MeApi extends HttpApiGroup.make("me")
  .add(
    HttpApiEndpoint.get("read", "/v2/me", {
      success: success(UserProfile),
      error: errors
    })
      .annotateMerge(needs(profileScope)).annotateMerge(about(
        "The authorized user's profile",
        "Shows an app that its credentials work. Errors carry WWW-Authenticate as RFC 6750 has it."
      )),
    HttpApiEndpoint.get("userinfo", userinfoPath, { success: UserClaims, error: errors })
      .annotateMerge(needs(profileScope)).annotateMerge(claims),
    HttpApiEndpoint.post("userinfoByPost", userinfoPath, { success: UserClaims, error: errors })
      .annotateMerge(needs(profileScope)).annotateMerge(claims)
  )
  .annotateMerge(OpenApi.annotations({ title: "Profile", description: "Who the token speaks for." }))
{}

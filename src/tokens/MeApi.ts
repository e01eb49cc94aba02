import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account } from "../accounts/Account.ts"
import { success } from "../http/Envelope.ts"
import { wire } from "../resource/Denied.ts"
import { needs } from "../resource/EndpointScope.ts"
import { RequireScope } from "../resource/RequireScope.ts"

/** What an app learns of the user on whose behalf it calls. */
export const profile = [
  "id",
  "username",
  "email",
  "name",
  "avatarUrl",
  "bio",
  "timeFormat",
  "defaultScheduleId",
  "weekStart",
  "timeZone",
  "locale",
  "organizationId"
] as const

const Me = Schema.Struct(Struct.pick(Account.fields, profile)).annotate({ identifier: "Me" })

/** The scope that it needs. */
export const profileScope = "PROFILE_READ"

export class MeApi extends HttpApiGroup.make("me")
  .add(
    HttpApiEndpoint.get("read", "/v2/me", {
      success: success(Me),
      error: wire.tokenRefused
    })
      .annotateMerge(needs(profileScope))
      .annotateMerge(OpenApi.annotations({
        summary: "The authorized user's profile",
        description: "Shows an app that its credentials work. Errors carry WWW-Authenticate as RFC 6750 has it."
      }))
  )
  // Says what `MeHttp` does.
  .middleware(RequireScope)
  .annotateMerge(OpenApi.annotations({ title: "Profile", description: "Who the token speaks for." }))
{}

import { Effect, Option, Struct } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IdentitySource } from "../../core/accounts/IdentitySource.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Admission } from "./Admission.ts"
import { type Denied, invalidToken } from "./Denied.ts"
import { errorResponse, unavailable } from "./ErrorResponse.ts"
import { metadataUrl } from "./ResourceMetadata.ts"
import { profileFields, profileScope } from "./UserProfile.ts"

/** Handles `MeApi`. Apps ask it as often as anything, so it is a plain route, as those of the tokens are. */
export const MeRoute = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { admit } = yield* Admission
  const identities = yield* IdentitySource
  const resourceMetadata = metadataUrl((yield* AppConfig).baseUrl)

  const read = Effect.fnUntraced(
    function*(request: HttpServerRequest.HttpServerRequest) {
      const caller = yield* admit({ _tag: "Scope", scope: profileScope }, request.headers["authorization"])
      const account = Option.isNone(caller) ? Option.none() : yield* identities.find(caller.value.userId)
      if (Option.isNone(account)) return yield* invalidToken(resourceMetadata)
      return HttpServerResponse.jsonUnsafe(succeed(Struct.pick(account.value, profileFields)), { headers: notKept })
    },
    Effect.catchTags({ TokenRefused: denied(401), CallRefused: denied(403), TemporarilyUnavailable: () => unavailable })
  )

  yield* router.add("GET", "/v2/me", read)
}))

const notKept = [["cache-control", "no-store"]] as const

const denied = (status: number) => ({ challenge, code, message }: Denied) =>
  errorResponse(status, { code, message }, { "www-authenticate": challenge })

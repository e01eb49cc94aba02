import { Effect, Option, Struct } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IdentitySource } from "../../core/accounts/IdentitySource.ts"
import { Requirement } from "../../domain/scopes/Requirement.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Admission } from "./Admission.ts"
import { type Denied, invalidToken } from "./Denied.ts"
import { errorResponse, unavailable } from "./ErrorResponse.ts"
import { metadataUrl } from "./ResourceMetadata.ts"
import { profileFields, profileScope } from "./UserProfile.ts"

/** Serves `MeApi`. Apps call it as often as the token endpoint, so it is a plain route as well (docs/decisions.md). */
export const MeRoute = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { admit } = yield* Admission
  const identities = yield* IdentitySource
  const resourceMetadata = metadataUrl((yield* AppConfig).baseUrl)

  const read = Effect.fnUntraced(
    function*(request: HttpServerRequest.HttpServerRequest) {
      const caller = yield* admit(requirement, request.headers["authorization"], operation)
      const account = Option.isNone(caller) ? Option.none() : yield* identities.find(caller.value.userId)
      if (Option.isNone(account)) return yield* invalidToken(resourceMetadata)
      return HttpServerResponse.jsonUnsafe(succeed(Struct.pick(account.value, profileFields)), { headers: noStore })
    },
    Effect.catchTags({
      TokenRefused: refused(401),
      CallRefused: refused(403),
      TemporarilyUnavailable: () => unavailable
    })
  )

  yield* router.add(operation.method, operation.path, read)
}))

const operation = { method: "GET", path: "/v2/me" } as const

const requirement = Requirement.Scope({ scope: profileScope })

const noStore = [["cache-control", "no-store"]] as const

const refused = (status: number) => ({ challenge, code, message }: Denied) =>
  errorResponse(status, { code, message }, { "www-authenticate": challenge })

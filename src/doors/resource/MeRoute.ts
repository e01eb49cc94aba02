import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Account } from "../../core/accounts/people/Account.ts"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { Requirement } from "../../domain/scopes/Requirement.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { corsHeaders, preflight } from "../../foundation/http/Cors.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { userinfoPath } from "../oauth/ServerMetadata.ts"
import { Admission } from "./Admission.ts"
import { type Denied, invalidToken } from "./Denied.ts"
import { errorResponse, uncheckable } from "./ErrorResponse.ts"
import { metadataUrl } from "./ResourceMetadata.ts"
import { claimsOf, profileOf } from "./UserProfile.ts"

/**
 * Serves `MeApi`, to apps in browsers of any origin, too. Apps call it as often as the token endpoint, so these are
 * plain routes as well (docs/decisions/speed.md).
 */
export const MeRoute = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { admit } = yield* Admission
  const identities = yield* IdentitySource
  const { profileScope } = yield* Catalogue
  const requirement = Requirement.Scope({ scope: profileScope })
  const resourceMetadata = metadataUrl((yield* AppConfig).baseUrl)

  const read = (bodyOf: (account: Account) => unknown) =>
    Effect.fnUntraced(
      function*(request: HttpServerRequest.HttpServerRequest) {
        const caller = yield* admit(requirement, request.headers["authorization"], operation, "profile")
        const account = Option.isNone(caller) ? Option.none() : yield* identities.find(caller.value.userId)
        if (Option.isNone(account)) return yield* invalidToken(resourceMetadata, profileScope)
        return HttpServerResponse.jsonUnsafe(bodyOf(account.value), { headers })
      },
      Effect.catchTags({
        TokenRefused: refused(401),
        CallRefused: refused(403),
        TemporarilyUnavailable: () => unavailable
      })
    )

  yield* router.add(operation.method, operation.path, read((account) => succeed(profileOf(account))))
  yield* router.add("OPTIONS", operation.path, preflight("GET"))
  const userinfo = read(claimsOf)
  yield* router.add("GET", userinfoPath, userinfo)
  yield* router.add("POST", userinfoPath, userinfo)
  yield* router.add("OPTIONS", userinfoPath, preflight("GET, POST"))
}))

const operation = { method: "GET", path: "/v2/me" } as const

// A list of pairs is quicker to read than an object: it need not be taken apart for each response.
const headers = Object.entries({ ...corsHeaders, "cache-control": "no-store" })

const refused = (status: number) => ({ challenge, code, message }: Denied) =>
  errorResponse(status, { code, message }, { ...corsHeaders, "www-authenticate": challenge })

const unavailable = errorResponse(uncheckable.status, uncheckable, { ...corsHeaders, ...uncheckable.headers })

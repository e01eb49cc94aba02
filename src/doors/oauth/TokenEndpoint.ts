import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { type AuthenticationAttempt, ClientAuthentication } from "../../core/clients/secrets/ClientAuthentication.ts"
import { LegacyCalls } from "../../core/legacy/migration/LegacyCalls.ts"
import { TokenIssuer } from "../../core/tokens/TokenIssuer.ts"
import { UnsupportedGrantType } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { CredentialsReader } from "./CredentialsReader.ts"
import type { GrantType } from "./GrantType.ts"
import { missingParameter, type ParametersReader } from "./OAuthRequest.ts"
import { successResponse } from "./OAuthResponse.ts"
import { recordRefusedRequest } from "./RecordRefusedRequest.ts"
import { namesOf } from "./Supported.ts"

/** Answers token requests (RFC 6749 §3.2) of these grant types. The handler of each is looked up in a map made once. */
export const tokenEndpoint = Effect.fnUntraced(function*(
  grantTypes: ReadonlyArray<GrantType>,
  { readClient, readParameters }: { readonly readClient: CredentialsReader; readonly readParameters: ParametersReader }
) {
  const clients = yield* ClientAuthentication
  const refusedRequests = yield* RefusedRequests
  const legacyCalls = yield* LegacyCalls
  const issuer = yield* TokenIssuer
  const handlers = new Map(grantTypes.map((grantType) => [grantType.name, grantType.handler(issuer)]))
  const unsupported = unsupportedGrantType(namesOf(grantTypes))

  const respond = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, parameters: Parameters) {
    const grantType = parameters.get("grant_type")
    if (grantType === undefined) return yield* missingParameter("grant_type")
    const handle = handlers.get(grantType)
    if (handle === undefined) return yield* unsupported
    const client = yield* readClient(request, parameters)
    return successResponse(yield* handle(client, parameters, nameMissing))
  })

  // Only authenticated clients learn which parameter is missing.
  const nameMissing = (client: AuthenticationAttempt, name: string) =>
    Effect.andThen(clients.authenticate(client), missingParameter(name))

  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(
      readParameters(request),
      (parameters) =>
        respond(request, parameters).pipe(
          Effect.tapError(recordRefusedRequest(refusedRequests, legacyCalls, readClient, request, parameters))
        )
    )
})

const unsupportedGrantType = (names: ReadonlyArray<string>) => {
  const others = names.slice(0, -1)
  const text = others.length === 0 ? `not ${names[0]}` : `neither ${others.join(", ")} nor ${names.at(-1)}`
  return Effect.fail(new UnsupportedGrantType({ error_description: `the grant type is ${text}` }))
}

import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import {
  type AuthenticationAttempt,
  ClientAuthentication,
  unknownClientReason
} from "../../core/clients/secrets/ClientAuthentication.ts"
import { supersededReason } from "../../core/grants/RefreshRotation.ts"
import { LegacyTraffic } from "../../core/legacy/migration/LegacyTraffic.ts"
import { CallerReference } from "../../core/limits/CallerReference.ts"
import { TokenIssuer } from "../../core/tokens/TokenIssuer.ts"
import { ClientId } from "../../domain/Ids.ts"
import { reasonOf, type TokenError, UnsupportedGrantType, userOf } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import { requestIdOf } from "../../foundation/log/RequestId.ts"
import type { CredentialsReader } from "./CredentialsReader.ts"
import type { GrantType } from "./GrantType.ts"
import { missingParameter, type ParametersReader } from "./OAuthRequest.ts"
import { successResponse } from "./OAuthResponse.ts"
import { namesOf } from "./Supported.ts"

/** Answers token requests (RFC 6749 §3.2) of these grant types. The handler of each is looked up in a map made once. */
export const tokenEndpoint = Effect.fnUntraced(function*(
  grantTypes: ReadonlyArray<GrantType>,
  { readClient, readParameters }: { readonly readClient: CredentialsReader; readonly readParameters: ParametersReader }
) {
  const clients = yield* ClientAuthentication
  const refusedRequests = yield* RefusedRequests
  const legacyTraffic = yield* LegacyTraffic
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

  /** Records for the owner of an app, and for support, why its request was refused, except for faults of the server. */
  const recordRefused =
    (request: HttpServerRequest.HttpServerRequest, parameters: Parameters) => (failure: TokenError | TooManyAttempts) =>
      failure._tag === "TemporarilyUnavailable" ?
        Effect.void :
        readClient(request, parameters).pipe(
          Effect.map(({ id }) => id),
          Effect.orElseSucceed(() => parameters.get("client_id")),
          Effect.flatMap((clientId) => {
            const { error, reason } = explanation(failure)
            // Only a client that has authenticated gets as far as this reason.
            if (reason === supersededReason && clientId !== undefined) {
              legacyTraffic.noteSuperseded(ClientId.make(clientId))
            }
            return refusedRequests.record({
              clientId,
              isKnown: namesClient(failure),
              userId: userOf(failure),
              endpoint: "token",
              error,
              reason
            })
          }),
          Effect.provideService(CallerReference, requestIdOf(request))
        )

  return (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(
      readParameters(request),
      (parameters) =>
        respond(request, parameters).pipe(
          Effect.tapError(recordRefused(request, parameters))
        )
    )
})

/** Tells a refusal of a client that was found; attempts are counted of such a one alone. */
const namesClient = (failure: TokenError | TooManyAttempts): boolean =>
  failure._tag === "InvalidClient" ? reasonOf(failure) !== unknownClientReason : ofFoundClient.has(failure._tag)

const ofFoundClient: ReadonlySet<string> = new Set([
  "InvalidGrant",
  "InvalidScope",
  "InvalidTarget",
  "TooManyAttempts",
  "UnauthorizedClient"
])

const unsupportedGrantType = (names: ReadonlyArray<string>) => {
  const others = names.slice(0, -1)
  const text = others.length === 0 ? `not ${names[0]}` : `neither ${others.join(", ")} nor ${names.at(-1)}`
  return Effect.fail(new UnsupportedGrantType({ error_description: `the grant type is ${text}` }))
}

const explanation = (failure: TokenError | TooManyAttempts) =>
  failure._tag === "TooManyAttempts"
    ? {
      error: "temporarily_unavailable",
      reason: "too many wrong secrets or unknown refresh tokens were sent; they are not looked at for a while"
    }
    : { error: failure.error, reason: reasonOf(failure) }

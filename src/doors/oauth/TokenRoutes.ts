import { Effect, Option, Redacted } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import {
  type AuthenticationAttempt,
  ClientAuthentication,
  invalidClient
} from "../../core/clients/ClientAuthentication.ts"
import { RefusedRequests } from "../../core/clients/RefusedRequests.ts"
import { type Asker, Introspection } from "../../core/tokens/Introspection.ts"
import { type ResourceServer, ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { Revocation } from "../../core/tokens/Revocation.ts"
import { TokenIssuer } from "../../core/tokens/TokenIssuer.ts"
import { InvalidBearer, InvalidRequest, UnsupportedGrantType } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { preflight } from "../../foundation/http/Cors.ts"
import type { BearerHeader } from "./clientAuthentication/ResourceServerBearer.ts"
import { clientAuthenticationMethods, introspectionAuthenticationMethods } from "./ClientAuthenticationMethods.ts"
import { clientIdMissing, credentialsReader } from "./CredentialsReader.ts"
import { readParameters } from "./OAuthRequest.ts"
import { answer, answered, postOnly } from "./OAuthResponse.ts"
import { recordRefusedRequest } from "./RecordRefusedRequest.ts"

/**
 * Handles `TokenApi` by plain routes: its bodies follow the rules of OAuth and not a schema, and going past the builder
 * saves a tenth of the time of a token request.
 */
export const TokenRoutes = HttpRouter.use(
  Effect.fnUntraced(function*(router) {
    const clients = yield* ClientAuthentication
    const config = yield* AppConfig
    const introspection = yield* Introspection
    const issuer = yield* TokenIssuer
    const refusedRequests = yield* RefusedRequests
    const resourceServers = yield* ResourceServers
    const revocation = yield* Revocation

    const show = (request: HttpServerRequest.HttpServerRequest, parameters: Parameters) =>
      Effect.map(
        readClient(request.headers["authorization"], parameters),
        (credentials): AuthenticationAttempt => ({ ...credentials, address: clientAddress(config, request) })
      )

    /** Names a missing parameter, to authenticated clients only. */
    const lacks = (client: AuthenticationAttempt, name: string) =>
      Effect.andThen(clients.authenticate(client), missing(name))

    const token = (request: HttpServerRequest.HttpServerRequest) =>
      Effect.flatMap(
        readParameters(request),
        (parameters) =>
          grant(request, parameters).pipe(
            Effect.tapError(recordRefusedRequest(refusedRequests, readClient, request, parameters))
          )
      )

    const grant = Effect.fnUntraced(function*(
      request: HttpServerRequest.HttpServerRequest,
      parameters: Parameters
    ) {
      switch (parameters.get("grant_type")) {
        case undefined:
          return yield* missing("grant_type")
        case "authorization_code": {
          const client = yield* show(request, parameters)
          const code = parameters.get("code") ?? (yield* lacks(client, "code"))
          const redirectUri = parameters.get("redirect_uri") ?? (yield* lacks(client, "redirect_uri"))
          return answer(
            yield* issuer.exchange(client, { code, redirectUri, codeVerifier: parameters.get("code_verifier") })
          )
        }
        case "refresh_token": {
          const client = yield* show(request, parameters)
          const refreshToken = parameters.get("refresh_token") ?? (yield* lacks(client, "refresh_token"))
          return answer(yield* issuer.refresh(client, { refreshToken, scope: parameters.get("scope") }))
        }
        default:
          return yield* unsupportedGrantType
      }
    })

    const revoke = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const parameters = yield* readParameters(request)
      const client = yield* Effect.flatMap(show(request, parameters), clients.authenticate)
      yield* revocation.revoke(client, parameters.get("token") ?? (yield* missing("token")))
      return answer({})
    })

    const introspect = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      const parameters = yield* readParameters(request)
      const asker = yield* identify(request, parameters)
      return answer(yield* introspection.introspect(asker, parameters.get("token") ?? (yield* missing("token"))))
    })

    /** Public clients cannot show that they are who they say, so they are told nothing (RFC 7662 §2.1). */
    const identify = Effect.fnUntraced(function*(
      request: HttpServerRequest.HttpServerRequest,
      parameters: Parameters
    ) {
      const credentials = yield* readAsker(request.headers["authorization"], parameters)
      if ("bearer" in credentials) {
        const { bearer } = credentials
        const server = bearer._tag === "Token"
          ? yield* resourceServers.authenticate(Redacted.make(bearer.token))
          : Option.none()
        return Option.isSome(server) ? asResourceServer(server.value) : yield* invalidBearer
      }
      if (credentials.secretDigest === null) return yield* invalidClient
      const server = yield* resourceServers.identify(credentials.id, credentials.secretDigest)
      if (Option.isSome(server)) return asResourceServer(server.value)
      const shown = { ...credentials, address: clientAddress(config, request) }
      return { _tag: "Client", client: yield* clients.authenticate(shown) } satisfies Asker
    })

    yield* router.add("POST", "/v2/auth/oauth2/token", (request) => answered(token(request)))
    yield* router.add("POST", "/v2/auth/oauth2/revoke", (request) => answered(revoke(request)))
    yield* router.add("POST", "/v2/auth/oauth2/introspect", (request) => answered(introspect(request)))
    // Preflights of browsers (CORS); introspection is between servers and has none.
    yield* router.add("OPTIONS", "/v2/auth/oauth2/token", preflight("POST"))
    yield* router.add("OPTIONS", "/v2/auth/oauth2/revoke", preflight("POST"))
    // Another method is answered with the right one.
    yield* router.add("GET", "/v2/auth/oauth2/token", postOnly)
    yield* router.add("GET", "/v2/auth/oauth2/revoke", postOnly)
    yield* router.add("GET", "/v2/auth/oauth2/introspect", postOnly)
  })
)

const readClient = credentialsReader(clientAuthenticationMethods, clientIdMissing)
const readAsker = credentialsReader<BearerHeader>(introspectionAuthenticationMethods, invalidClient)

const asResourceServer = (server: ResourceServer): Asker => ({ _tag: "ResourceServer", server })

const invalidBearer = Effect.fail(new InvalidBearer({ error_description: "the credential is not a resource server's" }))

const missing = (name: string) => Effect.fail(new InvalidRequest({ error_description: `${name} is missing` }))

const unsupportedGrantType = Effect.fail(
  new UnsupportedGrantType({ error_description: "the grant type is neither authorization_code nor refresh_token" })
)

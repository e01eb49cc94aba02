import { Effect, Option, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { ClientAuthentication, invalidClient } from "../../core/clients/secrets/ClientAuthentication.ts"
import { type Asker, introspection } from "../../core/tokens/Introspection.ts"
import type { IntrospectionResponse } from "../../core/tokens/IntrospectionResponse.ts"
import { type ResourceServer, ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { InvalidBearer } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { BearerHeader } from "./clientAuthentication/ResourceServerBearer.ts"
import type { CredentialsReader } from "./CredentialsReader.ts"
import { missingParameter, type ParametersReader } from "./OAuthRequest.ts"
import { successResponse } from "./OAuthResponse.ts"
import { reported, usageHeader } from "./UsageWire.ts"

/** Answers introspection requests (RFC 7662 §2). */
export const introspectionEndpoint = Effect.fnUntraced(function*(
  { readAsker, readParameters }: {
    readonly readAsker: CredentialsReader<BearerHeader>
    readonly readParameters: ParametersReader
  }
) {
  const catalogue = yield* Catalogue
  const clients = yield* ClientAuthentication
  const identities = yield* IdentitySource
  const introspect = yield* introspection
  const resourceServers = yield* ResourceServers

  // Public clients cannot prove who they are, so they learn nothing (RFC 7662 §2.1).
  const identify = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, parameters: Parameters) {
    const credentials = yield* readAsker(request, parameters)
    if ("bearer" in credentials) {
      const { bearer } = credentials
      const server = bearer._tag === "Token"
        ? yield* resourceServers.authenticate(Redacted.make(bearer.token))
        : Option.none()
      return Option.isSome(server) ? asResourceServer(server.value, request) : yield* invalidBearer
    }
    if (credentials.secretDigest === null) return yield* invalidClient
    const server = yield* resourceServers.identify(credentials.id, credentials.secretDigest)
    if (Option.isSome(server)) return asResourceServer(server.value, request)
    return { _tag: "Client", client: yield* clients.authenticate(credentials) } satisfies Asker
  })

  const withUsername = (asker: Asker, response: IntrospectionResponse) =>
    response.sub === undefined || !mayKnowName(catalogue, asker, response) ? Effect.succeed(response) : Effect.map(
      identities.find(response.sub),
      Option.match({ onNone: () => response, onSome: ({ username }) => ({ ...response, username }) })
    )

  return Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
    const parameters = yield* readParameters(request)
    const asker = yield* identify(request, parameters)
    const token = parameters.get("token") ?? (yield* missingParameter("token"))
    return successResponse(yield* withUsername(asker, yield* introspect(asker, token)))
  })
})

/** Apps learn no more of their users than their scopes allow (RFC 7662 §5). */
const mayKnowName = (
  { covers, profileScope }: Catalogue,
  asker: Asker,
  { scope = "", unrestricted }: IntrospectionResponse
): boolean => asker._tag === "ResourceServer" || unrestricted === true || covers(scope.split(" "), profileScope)

const asResourceServer = (server: ResourceServer, { headers }: HttpServerRequest.HttpServerRequest): Asker => ({
  _tag: "ResourceServer",
  server,
  reportsUsage: headers[usageHeader] === reported
})

export const invalidBearer = Effect.fail(
  new InvalidBearer({ error_description: "the credential is not a resource server's" })
)

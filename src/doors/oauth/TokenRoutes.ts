import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { invalidClient } from "../../core/clients/secrets/ClientAuthentication.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { preflight } from "../../foundation/http/Cors.ts"
import type { BearerHeader } from "./clientAuthentication/ResourceServerBearer.ts"
import { clientIdMissing, credentialsReader } from "./CredentialsReader.ts"
import { introspectionEndpoint } from "./IntrospectionEndpoint.ts"
import { parametersReader } from "./OAuthRequest.ts"
import { respond } from "./OAuthResponse.ts"
import { optionalFields } from "./ParameterFields.ts"
import { revocationEndpoint } from "./RevocationEndpoint.ts"
import { type Supported, supported } from "./Supported.ts"
import { tokenEndpoint } from "./TokenEndpoint.ts"
import { usageEndpoint } from "./UsageEndpoint.ts"
import { usagePath } from "./UsageWire.ts"

// This room is what OAuth clients and resource servers speak to: the token, revocation and introspection endpoints and
// the metadata. It reads requests, asks `core/tokens`, and answers in the formats of the RFCs.

/**
 * Serves `TokenApi` by plain routes. The requests follow the rules of OAuth and not a schema, and without the API
 * builder a token request takes a tenth less time (docs/decisions/speed.md).
 */
export const tokenRoutes = (supported: Supported) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const config = yield* AppConfig
    const { clientAuthenticationMethods, grantTypes, introspectionAuthenticationMethods } = supported
    const readParameters = parametersReader(knownParameters(supported))
    const readClient = credentialsReader<never>(config, clientAuthenticationMethods, clientIdMissing)
    const readAsker = credentialsReader<BearerHeader>(config, introspectionAuthenticationMethods, invalidClient)

    const token = yield* tokenEndpoint(grantTypes, { readClient, readParameters })
    const revoke = yield* revocationEndpoint({ readClient, readParameters })
    const introspect = yield* introspectionEndpoint({ readAsker, readParameters })
    const takeUsage = yield* usageEndpoint

    yield* router.add("POST", "/v2/auth/oauth2/token", (request) => respond(token(request)))
    yield* router.add("POST", "/v2/auth/oauth2/revoke", (request) => respond(revoke(request)))
    yield* router.add("POST", "/v2/auth/oauth2/introspect", (request) => respond(introspect(request)))
    yield* router.add("POST", usagePath, (request) => respond(takeUsage(request)))
    // Preflights of browsers (CORS); introspection is for servers only.
    yield* router.add("OPTIONS", "/v2/auth/oauth2/token", preflight("POST"))
    yield* router.add("OPTIONS", "/v2/auth/oauth2/revoke", preflight("POST"))
  }))

export const TokenRoutes = tokenRoutes(supported)

const knownParameters = ({ clientAuthenticationMethods, grantTypes }: Supported): ReadonlySet<string> =>
  new Set([
    "grant_type",
    "client_id",
    "token",
    "token_type_hint",
    ...Object.keys(optionalFields(clientAuthenticationMethods)),
    ...Object.keys(optionalFields(grantTypes))
  ])

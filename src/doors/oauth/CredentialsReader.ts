import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type AuthenticationAttempt, invalidClient } from "../../core/clients/ClientAuthentication.ts"
import * as Credential from "../../domain/Credential.ts"
import { ClientId } from "../../domain/Ids.ts"
import { type InvalidClient, InvalidRequest } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import type { ClientAuthenticationMethod, SentCredentials } from "./ClientAuthenticationMethod.ts"

/** Reads the credentials of a request and the address they come from; refuses two methods at once (RFC 6749 §2.3). */
export type CredentialsReader<A = never> = (
  request: HttpServerRequest.HttpServerRequest,
  parameters: Parameters
) => Effect.Effect<A | AuthenticationAttempt, InvalidClient | InvalidRequest>

/**
 * The reader of an endpoint that takes these methods. `onNoClient` answers a request that names no client at all; `A` are
 * credentials of others than clients.
 */
export const credentialsReader = <A extends object = never>(
  config: Pick<AppConfig["Service"], "trustedProxies">,
  methods: ReadonlyArray<ClientAuthenticationMethod<A | SentCredentials>>,
  onNoClient: Effect.Effect<never, InvalidClient | InvalidRequest>
): CredentialsReader<A> => {
  const inHeader = methods.filter((method) => method.in === "header")
  const inBody = methods.filter((method) => method.in === "body")
    .map((method) => ({ names: Object.keys(method.parameters), read: method.read }))
  const withCredential = inBody.filter(({ names }) => names.length > 0)
  const withIdAlone = inBody.find(({ names }) => names.length === 0)

  const fromHeader = (authorization: string, parameters: Parameters) => {
    for (const method of inHeader) {
      const credentials = method.read(authorization, parameters)
      if (credentials !== undefined) return credentials
    }
    return undefined
  }

  const read = (authorization: string | undefined, parameters: Parameters) => {
    const used = withCredential.filter(({ names }) => names.some((name) => parameters.has(name)))
    if (authorization !== undefined) {
      const credentials = fromHeader(authorization, parameters)
      if (credentials === undefined) return invalidClient
      return used.length === 0 ? credentials : headerAndBody
    }
    const id = parameters.get("client_id")
    if (id === undefined) return onNoClient
    if (used.length > 1) return twoMethods
    const method = used[0] ?? withIdAlone
    return method === undefined ? invalidClient : Effect.succeed(method.read(id, parameters))
  }

  return (request, parameters) =>
    Effect.map(
      read(request.headers["authorization"], parameters),
      (sent) => isOfClient(sent) ? attemptOf(sent, clientAddress(config, request)) : sent
    )
}

/** Refuses a request without `client_id`. */
export const clientIdMissing = Effect.fail(new InvalidRequest({ error_description: "client_id is missing" }))

const isOfClient = <A extends object>(sent: A | SentCredentials): sent is SentCredentials => "secret" in sent

const attemptOf = ({ id, raw, secret }: SentCredentials, address: string): AuthenticationAttempt => ({
  ...digested(id, secret),
  address,
  ...(raw && { raw: digested(raw.id, raw.secret) })
})

const digested = (id: string, secret: string | undefined) => ({
  id: ClientId.make(id),
  secretDigest: secret === undefined ? null : Credential.digest(secret),
  secret: secret === undefined ? undefined : () => secret
})

const headerAndBody = Effect.fail(
  new InvalidRequest({ error_description: "the client authenticates in the header and in the body" })
)
const twoMethods = Effect.fail(new InvalidRequest({ error_description: "the client authenticates in two ways" }))

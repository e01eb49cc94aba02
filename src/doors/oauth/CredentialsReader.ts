import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type AuthenticationAttempt, invalidClient } from "../../core/clients/secrets/ClientAuthentication.ts"
import * as Credential from "../../domain/Credential.ts"
import { ClientId } from "../../domain/Ids.ts"
import { type InvalidClient, InvalidRequest } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import type { ClientAuthenticationMethod, SentCredentials } from "./ClientAuthenticationMethod.ts"

/**
 * Reads the credentials of a request and the address they come from. Two methods at once are refused (RFC 6749 §2.3),
 * unless header and body have the same credential: libraries send it twice when they cannot know which a server takes.
 */
export type CredentialsReader<A = never> = (
  request: HttpServerRequest.HttpServerRequest,
  parameters: Parameters
) => Effect.Effect<A | AuthenticationAttempt, InvalidClient | InvalidRequest>

/**
 * Reader of an endpoint that takes these methods. `onNoClient` answers a request that names no client at all; `A` are
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

  const schemes = inHeader.map(({ challenge }) => schemeOf(challenge))
  const isForeign = (authorization: string) =>
    !schemes.some((scheme) => scheme.toLowerCase() === schemeOf(authorization).toLowerCase())
  const foreignHeader = Effect.fail(
    new InvalidRequest({
      error_description: `the Authorization header is not of the ${
        schemes.join(" or ")
      } scheme: send the client in it, or leave it out`
    })
  )

  const fromHeader = (authorization: string, parameters: Parameters) => {
    for (const method of inHeader) {
      const credentials = method.read(authorization, parameters)
      if (credentials !== undefined) return credentials
    }
    return undefined
  }

  const read = (
    authorization: string | undefined,
    parameters: Parameters
  ): Effect.Effect<A | SentCredentials, InvalidClient | InvalidRequest> => {
    const used = withCredential.filter(({ names }) => names.some((name) => parameters.has(name)))
    const id = parameters.get("client_id")
    if (authorization !== undefined && authorization !== "") {
      const credentials = fromHeader(authorization, parameters)
      // Clients drop their registration on invalid_client, and this one is in order.
      if (credentials === undefined) {
        return id !== undefined && (used.length > 0 || isForeign(authorization)) ? foreignHeader : invalidClient
      }
      const [method] = used
      if (method === undefined) return credentials
      if (id === undefined || used.length > 1) return headerAndBody
      const inBody = method.read(id, parameters)
      return Effect.flatMap(credentials, (sent) => onceIn(sent, inBody))
    }
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

/** Reading of the header that is what the body says. */
const onceIn = <A extends object>(sent: A | SentCredentials, inBody: SentCredentials) => {
  const readings = isOfClient(sent) ? [sent, ...(sent.raw === undefined ? [] : [sent.raw])] : []
  const same = readings.find(({ id, secret }) => id === inBody.id && secret === inBody.secret)
  return same === undefined ? headerAndBody : Effect.succeed({ id: same.id, secret: same.secret })
}

const schemeOf = (header: string): string => header.split(" ", 1)[0] ?? ""

const headerAndBody = Effect.fail(
  new InvalidRequest({ error_description: "the client authenticates in the header and otherwise in the body" })
)
const twoMethods = Effect.fail(new InvalidRequest({ error_description: "the client authenticates in two ways" }))

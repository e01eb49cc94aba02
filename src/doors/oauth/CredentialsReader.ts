import { Effect } from "effect"
import { invalidClient, type PresentedCredentials } from "../../core/clients/ClientAuthentication.ts"
import { type InvalidClient, InvalidRequest } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import type { ClientAuthenticationMethod } from "./ClientAuthenticationMethod.ts"

/** Reads the credentials of a request, never from two places at once (RFC 6749 §2.3). */
export type CredentialsReader<A = PresentedCredentials> = (
  authorization: string | undefined,
  parameters: Parameters
) => Effect.Effect<A, InvalidClient | InvalidRequest>

/** The reader of an endpoint that takes these methods; `onNoClient` answers a request that names no client at all. */
export const credentialsReader = <A = PresentedCredentials>(
  methods: ReadonlyArray<ClientAuthenticationMethod<A | PresentedCredentials>>,
  onNoClient: Effect.Effect<never, InvalidClient | InvalidRequest>
): CredentialsReader<A | PresentedCredentials> => {
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

  return (authorization, parameters) => {
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
}

/** The answer to a request without `client_id`. */
export const clientIdMissing = Effect.fail(new InvalidRequest({ error_description: "client_id is missing" }))

const headerAndBody = Effect.fail(
  new InvalidRequest({ error_description: "the client authenticates in the header and in the body" })
)
const twoMethods = Effect.fail(new InvalidRequest({ error_description: "the client authenticates in two ways" }))

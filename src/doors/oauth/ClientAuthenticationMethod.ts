import type { Effect, Schema } from "effect"
import type { PresentedCredentials } from "../../core/clients/ClientAuthentication.ts"
import * as Credential from "../../domain/Credential.ts"
import { ClientId } from "../../domain/Ids.ts"
import type { InvalidRequest } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"

/**
 * A way to send client credentials (RFC 6749 §2.3). Each is a file in `clientAuthentication/` and a line in
 * `ClientAuthenticationMethods`; the reader of credentials, the metadata, the OpenAPI document and the challenge of a 401
 * derive from that list.
 */
export type ClientAuthenticationMethod<A = PresentedCredentials> = HeaderMethod<A> | BodyMethod

/** Credentials in the `Authorization` header. */
export interface HeaderMethod<A> {
  readonly in: "header"
  /** The registered name, as the metadata lists it (RFC 8414 §2). */
  readonly name: string
  /** The challenge that asks for this method (RFC 9110 §11.6.1). */
  readonly challenge: string
  /** The credentials; `undefined` for another scheme and for a header that is malformed. */
  read(authorization: string, parameters: Parameters): Effect.Effect<A, InvalidRequest> | undefined
}

/** Credentials in the body, beside `client_id`. */
export interface BodyMethod {
  readonly in: "body"
  /** The registered name, as the metadata lists it (RFC 8414 §2). */
  readonly name: string
  /** The parameters that only this method has; a request with one of them uses it. */
  readonly parameters: Readonly<Record<string, Schema.optionalKey<Schema.String>>>
  read(clientId: string, parameters: Parameters): PresentedCredentials
}

/** The credentials as the core takes them. */
export const clientCredentials = (id: string, secret: string | undefined): PresentedCredentials => ({
  id: ClientId.make(id),
  secretDigest: secret === undefined ? null : Credential.digest(secret)
})

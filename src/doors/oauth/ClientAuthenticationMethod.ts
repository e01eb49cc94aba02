import type { Effect, Schema } from "effect"
import type { InvalidRequest } from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"

/**
 * A way to send client credentials (RFC 6749 §2.3). Each is a file in `clientAuthentication/` and a line in
 * `ClientAuthenticationMethods`; the reader of credentials, the metadata, the OpenAPI document and the challenge of a
 * 401 derive from that list. The files import no service, because the contract reads them.
 */
export type ClientAuthenticationMethod<A = SentCredentials> = HeaderMethod<A> | BodyMethod

/** Credentials in the `Authorization` header. */
export interface HeaderMethod<A = SentCredentials> {
  readonly in: "header"
  /** Registered name, as the metadata lists it (RFC 8414 §2). */
  readonly name: string
  /** Challenge that asks for this method (RFC 9110 §11.6.1). */
  readonly challenge: string
  /** Header in the OpenAPI document. */
  readonly securityScheme: {
    readonly name: string
    readonly scheme: "basic" | "bearer"
    readonly description: string
  }
  /** Credentials; `undefined` for another scheme and for a header that is malformed. */
  read(authorization: string, parameters: Parameters): Effect.Effect<A, InvalidRequest> | undefined
}

/** Credentials in the body, beside `client_id`. */
export interface BodyMethod {
  readonly in: "body"
  /** Registered name, as the metadata lists it (RFC 8414 §2). */
  readonly name: string
  /** Parameters that only this method has; a request with one of them uses it. */
  readonly parameters: Readonly<Record<string, Schema.optionalKey<Schema.String>>>
  read(clientId: string, parameters: Parameters): SentCredentials
}

/** An identifier and a secret, or none, as a request sends them. */
export interface SentCredentials {
  readonly id: string
  readonly secret: string | undefined
  /** Same before form-decoding, where that makes a difference. */
  readonly raw?: SentCredentials
}

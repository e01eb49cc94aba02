/** What an `Authorization` header holds (RFC 6750 §2.1); credentials of other schemes are none of ours. */
export type Credentials =
  | { readonly _tag: "None" }
  | { readonly _tag: "Malformed" }
  | { readonly _tag: "Token"; readonly token: string }

export const parse = (authorization: string | undefined): Credentials => {
  if (authorization === undefined || !/^bearer(?:\s|$)/i.test(authorization)) return none
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
  return token === undefined ? malformed : { _tag: "Token", token }
}

/** What a challenge tells (RFC 6750 §3, RFC 9728 §5.1); the description is a constant without quotes. */
export interface Challenge {
  readonly error?: "invalid_request" | "invalid_token" | "insufficient_scope"
  readonly description?: string
  /** The scopes that the operation needs. */
  readonly scope?: string
  /** Where the resource describes itself and names its authorization server. */
  readonly resourceMetadata: string
}

/** The value of `WWW-Authenticate`. A request without a token is told no error (RFC 6750 §3.1). */
export const challenge = ({ description, error, resourceMetadata, scope }: Challenge): string =>
  `Bearer ${
    Object.entries({ error, error_description: description, scope, resource_metadata: resourceMetadata })
      .flatMap(([name, value]) => value === undefined ? [] : [`${name}="${value}"`])
      .join(", ")
  }`

const none: Credentials = { _tag: "None" }
const malformed: Credentials = { _tag: "Malformed" }

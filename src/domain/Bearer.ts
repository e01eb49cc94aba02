/** Bearer token of an `Authorization` header (RFC 6750 §2.1); other schemes count as no token. */
export type Credentials =
  | { readonly _tag: "None" }
  | { readonly _tag: "Malformed" }
  | { readonly _tag: "Token"; readonly token: string }

export const parse = (authorization: string | undefined): Credentials => {
  if (authorization === undefined || !/^bearer(?:\s|$)/i.test(authorization)) return none
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1]
  return token === undefined ? malformed : { _tag: "Token", token }
}

/**
 * Same without a look at the characters of the token, which takes longer than to find out that it is one of ours: for
 * who knows tokens by their whole text.
 */
export const parseLoosely = (authorization: string | undefined): Credentials =>
  authorization?.startsWith("Bearer ") && authorization.length > 7 && !authorization.startsWith(" ", 7)
    ? { _tag: "Token", token: authorization.slice(7) }
    : parse(authorization)

/** Tells whether a text has the characters of a token (RFC 6750 §2.1). */
export const isToken = (text: string): boolean => /^[A-Za-z0-9._~+/-]+=*$/.test(text)

/** Attributes of a challenge (RFC 6750 §3, RFC 9728 §5.1); the description is a constant without quotes. */
interface Challenge {
  readonly error?: "invalid_request" | "invalid_token" | "insufficient_scope"
  readonly description?: string
  /** Scopes that the operation needs. */
  readonly scope?: string
  /** Address of the resource's metadata, which names its authorization server. */
  readonly resourceMetadata: string
}

/** Value of `WWW-Authenticate`, without an error code for a request without a token (RFC 6750 §3.1). */
export const challenge = ({ description, error, resourceMetadata, scope }: Challenge): string =>
  `Bearer ${
    Object.entries({ error, error_description: description, scope, resource_metadata: resourceMetadata })
      .flatMap(([name, value]) => value === undefined ? [] : [`${name}="${value}"`])
      .join(", ")
  }`

const none: Credentials = { _tag: "None" }
const malformed: Credentials = { _tag: "Malformed" }

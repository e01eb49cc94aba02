import { Redacted } from "effect"
import type { Credential } from "../../domain/Credential.ts"
import type { AuthorizationError } from "../../domain/OAuthError.ts"

/** Redirect URI, validated for an approved client, and the `state` that the client sent. */
export interface RedirectTarget {
  readonly redirectUri: string
  /** Percent-encoded as it was sent. */
  readonly state: string | null
}

/** Redirect that gives the app its code (RFC 6749 §4.1.2). */
export const withCode = (target: RedirectTarget, code: Credential, issuer: string): string =>
  locationOf(target, [["code", Redacted.value(code)]], issuer)

/** Redirect that tells the app why it gets no code (RFC 6749 §4.1.2.1). */
export const withError = (target: RedirectTarget, error: AuthorizationError, issuer: string): string =>
  locationOf(target, [["error", error.error], ["error_description", error.error_description]], issuer)

// The redirect URI stays text, because parsing and printing it could change it.
const locationOf = (
  { redirectUri, state }: RedirectTarget,
  parameters: ReadonlyArray<readonly [string, string]>,
  issuer: string
): string => {
  const query = [
    ...parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    ...(state === null ? [] : [`state=${escapedInQuery(state)}`]),
    `iss=${encodeURIComponent(issuer)}` // RFC 9207 §2
  ].join("&")
  if (!redirectUri.includes("?")) return `${redirectUri}?${query}`
  return /[?&]$/.test(redirectUri) ? redirectUri + query : `${redirectUri}&${query}`
}

// Escapes characters that a query cannot carry and the client did not encode: a `#` would cut off what follows.
const escapedInQuery = (encoded: string): string => encoded.replace(/[^\w\-.~!$'()*+,;:@/?%=]+/g, encodeURIComponent)

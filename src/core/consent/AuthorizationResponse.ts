import { Redacted } from "effect"
import type { Credential } from "../../domain/Credential.ts"
import type { AuthorizationError } from "../../domain/OAuthError.ts"

/** Where an answer goes: an address that is registered for an approved client, and what the client sent along. */
export interface Target {
  readonly redirectUri: string
  /** Still encoded, as it was sent. */
  readonly state: string | null
}

/** The address that hands the code to the app (RFC 6749 §4.1.2). */
export const granted = (target: Target, code: Credential, issuer: string): string =>
  answer(target, [["code", Redacted.value(code)]], issuer)

/** The address that tells the app why there is no code (RFC 6749 §4.1.2.1). */
export const refused = (target: Target, error: AuthorizationError, issuer: string): string =>
  answer(target, [["error", error.error], ["error_description", error.error_description]], issuer)

// The registered address is kept as text: parsing and printing it anew could change it.
const answer = (
  { redirectUri, state }: Target,
  parameters: ReadonlyArray<readonly [string, string]>,
  issuer: string
): string => {
  const query = [
    ...parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
    ...(state === null ? [] : [`state=${inQuery(state)}`]),
    `iss=${encodeURIComponent(issuer)}` // RFC 9207 §2
  ].join("&")
  if (!redirectUri.includes("?")) return `${redirectUri}?${query}`
  return /[?&]$/.test(redirectUri) ? redirectUri + query : `${redirectUri}&${query}`
}

// What a URL cannot carry in its query was never encoded by the client; a `#` would cut off what follows.
const inQuery = (encoded: string): string => encoded.replace(/[^\w\-.~!$'()*+,;:@/?%=]+/g, encodeURIComponent)

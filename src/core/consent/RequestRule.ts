import { Schema } from "effect"
import type { AuthorizationError } from "../../domain/OAuthError.ts"

/** Rules for the request of a client that may be used; the rehearsal of an import counts by them (docs/legacy.md). */
export const RequestRule = Schema.Literals([
  "parameter-repeated",
  "response-type-unsupported",
  "response-mode-unsupported",
  "challenge-method-unsupported",
  "challenge-malformed",
  "challenge-missing",
  "scope-missing",
  "scope-unknown",
  "scope-unregistered",
  "scope-retired",
  "scope-elsewhere",
  "resource-malformed",
  "resource-unknown",
  "resource-unrestricted"
])
export type RequestRule = typeof RequestRule.Type

/** Rule that a request broke, and the error that its app may get. */
export interface Refusal<E extends AuthorizationError = AuthorizationError> {
  readonly rule: RequestRule
  readonly error: E
}

import { Schema } from "effect"
import type { AuthorizationError } from "../../domain/OAuthError.ts"

/** Rules for the request of a client that may be used; the rehearsal of an import counts by them (docs/legacy.md). */
export const LoggedRule = Schema.Literals([
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
  "resource-malformed",
  "resource-unknown"
])

/** All rules: some need a resource that is registered here, of which no log of another server knows. */
export const RequestRule = Schema.Literals([...LoggedRule.literals, "scope-elsewhere", "resource-unrestricted"])
export type RequestRule = typeof RequestRule.Type

/** Rule that a request broke, and the error that its app may get. */
export interface Refusal<E extends AuthorizationError = AuthorizationError> {
  readonly rule: RequestRule
  readonly error: E
}

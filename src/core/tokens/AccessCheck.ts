import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { VerifiedToken } from "./AccessToken.ts"
import type { InvalidToken } from "./InvalidToken.ts"

/** User, client, scopes and audience of a call. */
export type Principal = Omit<VerifiedToken, "generation">

/**
 * Check of an access token: unlike an offline check it also asks whether the grant has ended, so a revocation counts
 * from the next call on. `Introspection` and the check of API calls (`doors/resource`) call it. The server has its own
 * (`ServerAccessCheck`); a program that uses the library provides a remote one.
 */
export class AccessCheck extends Context.Service<AccessCheck, {
  /** Verifies the token, that its grant is live and that its client is approved. */
  check(bearer: string): Effect.Effect<Principal, InvalidToken | TemporarilyUnavailable>
}>()("slotkey/core/tokens/AccessCheck") {}

import type { ManagedClient } from "../records/Client.ts"
import { isPattern } from "../records/RedirectUri.ts"

/** One thing that the owner of an app does next, or waits for. */
export type NextStep =
  /** A reviewer has asked something, and the clock stands until it is answered. */
  | "answer"
  | "suspended"
  | "rejected"
  | "pending"
  | "change-rejected"
  | "change-waiting"
  /** Addresses of another server match no request here, so that nobody can authorize the app. */
  | "addresses"
  /** A legacy app has yet to say what it needs (specification §5.6). */
  | "scopes"
  /** No token that this server has issued to it is in use. */
  | "token"
  | "none"

/** What is known of an app besides what is registered. */
export interface Standing {
  readonly isAsked: boolean
  /** True if this server has issued it tokens that are in use. */
  readonly hasTokens: boolean
}

/**
 * Next step of an app's owner, which the overview shows as its one card, and the list of apps as a word. What stops the
 * app or its review comes first, then what only an owner can mend, and last what makes a working app more useful.
 */
export const nextStep = (
  { change, isLegacyClient, legacy, redirectUris, status }: Pick<
    ManagedClient,
    "change" | "isLegacyClient" | "legacy" | "redirectUris" | "status"
  >,
  { hasTokens, isAsked }: Standing
): NextStep => {
  if (isAsked) return "answer"
  if (status !== "approved") return status
  if (change !== null) return change.isWaiting ? "change-waiting" : "change-rejected"
  if (isLegacyClient && redirectUris.some(isPattern)) return "addresses"
  if (legacy) return "scopes"
  return hasTokens ? "none" : "token"
}

import { DateTime } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { ManagedClient } from "../clients/records/Client.ts"
import * as RedirectUri from "../clients/records/RedirectUri.ts"
import type { ReviewWish } from "../clients/review/ReviewWish.ts"

/** What a request of an app that nobody registered depends on. */
export interface AskedFor {
  readonly redirectUri: string
  readonly scopes: ReadonlyArray<ScopeName>
  readonly keptAt: DateTime.Utc
}

/**
 * How far reviewers are with what an app asks a user for. `Usable`: the user may be asked now. `Open`: it waits for
 * review, or would once somebody asks for that. `Waits`: the user has asked. `Refused`: reviewers decided against it,
 * with the reason if the user has asked for the review. `Unusable`: nobody can ask.
 */
export type Standing =
  | { readonly _tag: "Usable" }
  | { readonly _tag: "Open" }
  | { readonly _tag: "Waits" }
  | { readonly _tag: "Refused"; readonly reason: string | null }
  | { readonly _tag: "Unusable"; readonly reason: "redirect-uri-unregistered" | "client-suspended" }

/** Judges a request by the app as it is now, and by the wish of its user, which may have been answered. */
export const standingOf = (
  { covers }: Pick<Catalogue, "covers">,
  client: ManagedClient,
  { keptAt, redirectUri, scopes }: AskedFor,
  wish: ReviewWish | undefined
): Standing => {
  const { change, rejectionReason, reviewedAt, status } = client
  const has = (version: Pick<ManagedClient, "redirectUris" | "scopes">) =>
    RedirectUri.matches(version.redirectUris, redirectUri) && scopes.every((scope) => covers(version.scopes, scope))
  const isBefore = (at: DateTime.Utc) => reviewedAt !== null && DateTime.isLessThanOrEqualTo(at, reviewedAt)
  const isAnswered = wish !== undefined && isBefore(wish.askedAt)
  // What is not before the reviewers yet has to be asked for once more.
  const waits = (version: Pick<ManagedClient, "redirectUris" | "scopes">) =>
    wish !== undefined && !isAnswered && has(version) ? { _tag: "Waits" as const } : { _tag: "Open" as const }
  const isRegistered = RedirectUri.matches(client.redirectUris, redirectUri)

  if (status === "suspended") return { _tag: "Unusable", reason: "client-suspended" }
  if (status !== "approved" && !isRegistered) return { _tag: "Unusable", reason: "redirect-uri-unregistered" }
  if (status === "pending") return waits(client)
  if (status === "rejected") return { _tag: "Refused", reason: wish === undefined ? null : rejectionReason }
  if (has(client)) return { _tag: "Usable" }
  const mayWait = isRegistered || change !== null && RedirectUri.matches(change.redirectUris, redirectUri)
  if (!mayWait) return { _tag: "Unusable", reason: "redirect-uri-unregistered" }
  if (change?.isWaiting === true) return waits(change)
  if (isBefore(keptAt)) {
    if (change !== null && has(change)) {
      return { _tag: "Refused", reason: isAnswered ? change.rejectionReason : null }
    }
    if (isAnswered) return { _tag: "Refused", reason: null }
  }
  return isRegistered ? { _tag: "Open" } : { _tag: "Unusable", reason: "redirect-uri-unregistered" }
}

import { type DateTime } from "effect"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import type { ManagedClient } from "../records/Client.ts"
import { reviewedVersionOf } from "../records/ReviewedFields.ts"
import { summary } from "./ChangeDiff.ts"
import { amend } from "./Revision.ts"
import { conflict, transition, type TransitionResult, unchanged } from "./Transition.ts"

/**
 * Adds to what waits for review the scopes that the app asks a user for: an app that was never approved grows, and an
 * approved one gets a change, which waits while the approved version serves. Nothing of it can be used before a
 * reviewer approves it.
 */
export const widen = (
  catalogue: Catalogue,
  current: ManagedClient,
  scopes: ReadonlyArray<ScopeName>,
  now: DateTime.Utc
): TransitionResult => {
  if (current.status !== "pending" && current.status !== "approved") {
    return conflict("not_in_review", "Nothing of this app waits for a decision.")
  }
  const base = askedOf(current)
  const missing = scopes.filter((scope) => !catalogue.covers(base.scopes, scope))
  if (missing.length === 0) return unchanged
  const wanted = { ...base, scopes: catalogue.inOrder([...base.scopes, ...missing]) }
  return current.status === "approved"
    ? amend(catalogue, current, wanted, current, now)
    : transition({
      from: current,
      next: { scopes: wanted.scopes },
      now,
      action: "client.edited",
      details: summary(current, wanted)
    })
}

/** Version that the reviewers have before them, or that serves. */
export const askedOf = (client: ManagedClient) =>
  reviewedVersionOf(client.change?.isWaiting === true ? client.change : client)

import { type DateTime, Struct } from "effect"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { ClientChange, type ManagedClient } from "../records/Client.ts"
import { requiredOf } from "../records/OptionalScopes.ts"
import { type ReviewedVersion, reviewedVersionOf } from "../records/ReviewedFields.ts"
import { differences, summary } from "./ChangeDiff.ts"
import { transition, type TransitionResult } from "./Transition.ts"

// An owner's edit as the next version of an app, for `Lifecycle`: `revise` before an approval, `amend` after it.

/** Fields of an app that its owner may change without a review. */
type Unreviewed = Pick<ManagedClient, "purpose" | "refreshGrace">

/** Changes an app that was never approved, as a whole; a rejected one is submitted again with it. */
export const revise = (
  current: ManagedClient,
  wanted: ReviewedVersion,
  { purpose, refreshGrace }: Unreviewed,
  now: DateTime.Utc
): TransitionResult => {
  const next = { ...wanted, purpose, refreshGrace, legacy: current.legacy && wanted.scopes.length === 0 }
  const details = summaryOfAll(current, wanted, next)
  if (current.status === "pending") return transition({ from: current, next, now, action: "client.edited", details })
  return transition({
    from: current,
    next: { ...next, status: "pending", rejectionReason: null, submittedAt: now },
    now,
    action: "client.resubmitted",
    details,
    event: "resubmitted"
  })
}

/** Changes an approved app: what may hold at once does, and the rest becomes a change that waits for review. */
export const amend = (
  catalogue: Catalogue,
  current: ManagedClient,
  wanted: ReviewedVersion,
  { purpose, refreshGrace }: Unreviewed,
  now: DateTime.Utc
): TransitionResult => {
  const serving = holdingAtOnce(catalogue, current, wanted)
  const previous = current.change?.isWaiting ? current.change : null
  const nextOwnerId = previous?.nextOwnerId ?? null
  const change = differences(serving, wanted).length > 0 || nextOwnerId !== null
    ? new ClientChange({ ...wanted, nextOwnerId, rejectionReason: null, submittedAt: previous?.submittedAt ?? now })
    : previous === null
    ? current.change
    : null
  return transition({
    from: current,
    next: { ...serving, purpose, refreshGrace, change },
    now,
    action: "client.edited",
    details: summaryOfAll(current, wanted, { purpose, refreshGrace }),
    event: change?.isWaiting && previous === null ? "changed" : null
  })
}

const summaryOfAll = (current: ManagedClient, wanted: ReviewedVersion, { purpose, refreshGrace }: Unreviewed) => ({
  ...summary(current, wanted),
  ...(purpose === current.purpose ? {} : { purpose }),
  ...(refreshGrace === current.refreshGrace ? {} : { refreshGrace })
})

/**
 * Version that serves after an edit of an approved app: without what was removed, not yet with what was added. What
 * is optional from now on holds at once, too: users give less than they did.
 */
const holdingAtOnce = (
  { isReviewedAlways }: Catalogue,
  current: ManagedClient,
  wanted: ReviewedVersion
): ReviewedVersion & { readonly legacy: boolean } => {
  const redirectUris = both(current.redirectUris, wanted.redirectUris)
  const version = {
    ...reviewedVersionOf(current),
    // The last one is never taken away before its replacement is approved, and nor is the last required scope.
    redirectUris: redirectUris.length > 0 ? redirectUris : current.redirectUris
  }
  const scopes = both(current.scopes, wanted.scopes)
  const marked = new Set([...current.optionalScopes, ...wanted.optionalScopes])
  const narrowed = { scopes, optionalScopes: scopes.filter((scope) => marked.has(scope)) }
  if (!current.legacy) return { ...version, ...(requiredOf(narrowed).length > 0 ? narrowed : {}), legacy: false }
  // Validation starts with all scopes or none: URLs that ask for those in review would break meanwhile.
  const atOnce = wanted.scopes.length > 0 && !wanted.scopes.some(isReviewedAlways)
  return { ...version, ...(atOnce ? Struct.pick(wanted, ["scopes", "optionalScopes"]) : {}), legacy: !atOnce }
}

const both = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>): ReadonlyArray<A> =>
  after.filter((value) => before.includes(value))

import { DateTime, type Duration, Result } from "effect"
import type { BadRequest } from "../../../domain/ApiError.ts"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { ClientChange, isWithoutOwner, type ManagedClient } from "../records/Client.ts"
import { retiredFaults } from "../records/EnteredScope.ts"
import { optionalFaults } from "../records/OptionalScopes.ts"
import * as RedirectUri from "../records/RedirectUri.ts"
import { applyEdit, type ReviewedVersion, reviewedVersionOf } from "../records/ReviewedFields.ts"
import { differences, summary } from "./ChangeDiff.ts"
import { approvedPart } from "./LeftOut.ts"
import type { Usage } from "./LegacyUsage.ts"
import type { ClientEdit } from "./Registration.ts"
import { amend, revise } from "./Revision.ts"
import { objection } from "./ScopeLosses.ts"
import { ownerSummary, summaryOf, withoutTransfer } from "./Transfer.ts"
import { conflict, stale, transition, type TransitionResult, unchanged } from "./Transition.ts"

// Rules of an app's life as pure functions: from its current version and a command to its next version, or to the
// reason why not. `ClientRegistry` and `ClientReview` run them under the app's row lock.

/**
 * The owner changes the app. Before an approval it changes as it is and waits for review (again); afterwards additions
 * and what users see go to review while the approved version serves, and everything else holds at once.
 */
export const edit = (
  catalogue: Catalogue,
  current: ManagedClient,
  input: ClientEdit & Partial<Pick<ReviewedVersion, "logoDigest">>,
  now: DateTime.Utc,
  /** Recent use of a legacy client whose scopes are to be saved. */
  usage?: Usage,
  schemes?: RedirectUri.Schemes
): TransitionResult<BadRequest> => {
  if (input.version !== undefined && input.version !== current.version) return stale
  const objected = current.legacy && input.breakOldUrls !== true && objectionTo(catalogue, input.scopes, usage, now)
  if (objected) return Result.fail(objected)
  const base = reviewedVersionOf(current.change?.isWaiting ? current.change : current)
  const wanted = applyEdit(catalogue, base, input)
  const { purpose = current.purpose, refreshGrace = current.refreshGrace } = input
  const unreviewed = { purpose, refreshGrace }
  const faults = [
    ...faultsOf(current, wanted, input, schemes),
    ...retiredFaults(catalogue, input.scopes, [...current.scopes, ...base.scopes], now),
    ...optionalFaults(catalogue, input.optionalScopes ?? [], wanted, base)
  ]
  if (faults.length > 0) return Result.fail(Input.invalid(faults))
  const isSame = purpose === current.purpose && refreshGrace === current.refreshGrace &&
    differences(base, wanted).length === 0
  if (isSame && current.status !== "rejected") return unchanged
  return current.status === "pending" || current.status === "rejected"
    ? revise(current, wanted, unreviewed, now)
    : amend(catalogue, current, wanted, unreviewed, now)
}

/** The owner asks for another look at a rejected app. */
export const resubmit = (current: ManagedClient, now: DateTime.Utc): TransitionResult =>
  current.status === "rejected"
    ? revise(current, reviewedVersionOf(current), current, now)
    : current.status === "pending"
    ? unchanged
    : conflict("not_rejected", "Only a rejected app can be submitted again.")

/**
 * The owner takes back a change that waits or was rejected. That the app be given to another is withdrawn by its first
 * owner alone, and goes on waiting (`Transfer`).
 */
export const withdraw = (current: ManagedClient, now: DateTime.Utc): TransitionResult => {
  const { change } = current
  if (change === null) return conflict("no_change", "This app has no change in review.")
  const details = summary(current, change)
  const isKept = change.isWaiting && change.isTransfer
  if (isKept && differences(current, change).length === 0) return onlyTransfer
  const next = { change: isKept ? new ClientChange({ ...change, ...reviewedVersionOf(current) }) : null }
  return transition({ from: current, next, now, action: "client.change_withdrawn", details })
}

const onlyTransfer = conflict(
  "only_transfer",
  "Nothing waits but that the app is given to another owner: its first owner withdraws that."
)

/**
 * A reviewer approves the app, or the change of it that waits. Scopes that were safe when
 * the owner saved them may have come into conflict with what was seen since, so they are judged again.
 */
export const approve = (
  catalogue: Catalogue,
  current: ManagedClient,
  version: number,
  now: DateTime.Utc,
  /** Recent use of a legacy client, unless the reviewer approves whatever it was. */
  usage?: Usage,
  /** Scopes that the reviewer leaves out. */
  without: ReadonlyArray<string> = []
): TransitionResult<BadRequest> => {
  if (version !== current.version) return stale
  if (!current.isWaiting) return notInReview
  const part = approvedPart(catalogue, current, without)
  if (Result.isFailure(part)) return Result.fail(part.failure)
  const { leftOut, ...approved } = part.success
  // One that registered by itself, and that no user was asked for anything.
  if (!current.legacy && approved.scopes.length === 0) {
    return Result.fail(Input.invalid([{ path: "scopes", ...broken("scopes") }]))
  }
  if (current.status === "pending") {
    const next = { ...approved, status: "approved", rejectionReason: null, reviewedAt: now } as const
    return transition({ from: current, next, now, action: "client.approved", event: "approved", leftOut })
  }
  const objected = current.legacy && objectionTo(catalogue, approved.scopes, usage, now)
  if (objected) return Result.fail(objected)
  const legacy = current.legacy && approved.scopes.length === 0
  const nextOwnerId = current.change?.nextOwnerId ?? null
  return transition({
    from: current,
    next: {
      ...approved,
      legacy,
      change: null,
      reviewedAt: now,
      ...(nextOwnerId === null ? {} : { ownerId: nextOwnerId })
    },
    now,
    action: "client.change_approved",
    details: { ...summary(current, approved), ...ownerSummary(current, nextOwnerId) },
    event: "change-approved",
    leftOut
  })
}

/** A reviewer rejects the app, or the change of it that waits. */
export const reject = (
  current: ManagedClient,
  reason: string,
  version: number,
  now: DateTime.Utc
): TransitionResult => {
  if (version !== current.version) return stale
  const { change } = current
  if (current.status === "pending") {
    const next = { status: "rejected", rejectionReason: reason, reviewedAt: now } as const
    return transition({ from: current, next, now, action: "client.rejected", details: { reason }, event: "rejected" })
  }
  if (!change?.isWaiting) return notInReview
  return transition({
    from: current,
    next: { change: new ClientChange({ ...change, rejectionReason: reason }), reviewedAt: now },
    now,
    action: "client.change_rejected",
    details: { ...summaryOf(current, change), reason },
    event: "change-rejected"
  })
}

/**
 * A reviewer takes back the rejection of the app, or of the change of it: it waits again, at its old place. Not after
 * anything else has changed: the owner's change would bring back what they have removed since.
 */
export const undoRejection = (
  current: ManagedClient,
  reason: string,
  version: number,
  now: DateTime.Utc
): TransitionResult => {
  if (version !== current.version) return stale
  const { change, status } = current
  if (status === "rejected") {
    const next = { status: "pending", rejectionReason: null, reviewedAt: null } as const
    const action = "client.rejection_undone"
    return transition({ from: current, next, now, action, details: { reason }, event: "rejection-undone" })
  }
  if (change === null || change.isWaiting) {
    return conflict("not_rejected", "Neither this app nor a change of it is rejected.")
  }
  if (!isRejectionRecent(current)) {
    return conflict("changed_since", "The app has changed since the rejection: its owner can ask for the change again.")
  }
  return transition({
    from: current,
    next: { change: new ClientChange({ ...change, rejectionReason: null }) },
    now,
    action: "client.change_rejection_undone",
    details: { ...summaryOf(current, change), reason },
    event: "change-rejection-undone"
  })
}

/** Tells whether a rejection is the last that happened to the app, so that it can be undone. */
export const isRejectionRecent = ({ change, reviewedAt, status, updatedAt }: ManagedClient): boolean =>
  status === "rejected" ||
  (change !== null && !change.isWaiting && reviewedAt !== null && DateTime.Equivalence(reviewedAt, updatedAt))

/** A reviewer stops the use of an approved app. */
export const suspend = (
  current: ManagedClient,
  reason: string,
  version: number | undefined,
  now: DateTime.Utc
): TransitionResult => {
  if (version !== undefined && version !== current.version) return stale
  if (current.status !== "approved") return conflict("not_approved", "Only an approved app can be suspended.")
  const next = { status: "suspended", rejectionReason: reason } as const
  return transition({ from: current, next, now, action: "client.suspended", details: { reason }, event: "suspended" })
}

/** A reviewer lets a suspended app be used again. */
export const resume = (current: ManagedClient, version: number | undefined, now: DateTime.Utc): TransitionResult => {
  if (version !== undefined && version !== current.version) return stale
  if (current.status !== "suspended") return conflict("not_suspended", "Only a suspended app can be resumed.")
  const next = { status: "approved", rejectionReason: null } as const
  return transition({ from: current, next, now, action: "client.resumed", event: "resumed" })
}

/** An operator gives the app to another owner. Its users notice nothing. */
export const give = (current: ManagedClient, ownerId: UserId, now: DateTime.Utc): TransitionResult => {
  if (current.ownerId === ownerId) return unchanged
  // What it says of itself would still be another's word.
  if (isWithoutOwner(current)) return conflict("not_owned", "Nobody here owns this app: it came by itself.")
  const details = { from: current.ownerId, to: ownerId }
  const next = { ownerId, change: withoutTransfer(current) }
  return transition({ from: current, next, now, action: "client.given", details })
}

/** The owner takes back that scopes were saved, so that URLs without scope work again (specification §5.6). */
export const undoMigration = (
  current: ManagedClient,
  version: number | undefined,
  period: Duration.Duration,
  now: DateTime.Utc
): TransitionResult => {
  if (version !== undefined && version !== current.version) return stale
  if (current.migratedAt === null) return conflict("not_migrated", "This app has no saved scopes to take back.")
  if (DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(current.migratedAt, period))) {
    return conflict("undo_expired", "The time in which saved scopes can be taken back is over.")
  }
  const none = { scopes: [], optionalScopes: [] }
  const next = { ...current, ...none, legacy: true, migratedAt: null }
  // A change that waits would save scopes again when it is approved.
  const rest = current.change === null ? null : new ClientChange({ ...current.change, ...none })
  const change = rest === null || (differences(next, rest).length === 0 && !rest.isTransfer) ? null : rest
  const details = summary(current, next)
  return transition({ from: current, next: { ...next, change }, now, action: "client.migration_undone", details })
}

const notInReview = conflict("not_in_review", "Nothing of this app waits for a decision.")

const objectionTo = (
  catalogue: Catalogue,
  scopes: ReadonlyArray<ScopeName> | undefined,
  usage: Usage | undefined,
  now: DateTime.Utc
) =>
  scopes === undefined || scopes.length === 0 || usage === undefined
    ? undefined
    : objection(catalogue, usage, scopes, now)

const faultsOf = (
  current: ManagedClient,
  wanted: ReviewedVersion,
  { refreshGrace = "short" }: ClientEdit,
  schemes: RedirectUri.Schemes | undefined
): ReadonlyArray<Input.Fault> => [
  ...(current.kind === "public" && refreshGrace !== "short"
    ? [{ path: "refreshGrace", ...broken("grace") }]
    : []),
  // Addresses that another server had registered are mended with the first edit.
  ...(current.isLegacyClient ? RedirectUri.faultsOf : RedirectUri.kindFaults)(
    current.kind,
    wanted.redirectUris,
    schemes
  ),
  // An app that registered by itself may wish for none: it has those that a user is asked for.
  ...(wanted.scopes.length === 0 && !current.legacy && current.scopes.length > 0
    ? [{ path: "scopes", ...broken("scopes") }]
    : [])
]

import { type DateTime, Struct } from "effect"
import type { UserId } from "../../../domain/Ids.ts"
import { ClientChange, type ManagedClient } from "../records/Client.ts"
import { reviewedVersionOf } from "../records/ReviewedFields.ts"
import { differences, summary } from "./ChangeDiff.ts"
import { conflict, type Transition, transition, type TransitionResult, unchanged } from "./Transition.ts"

// Rules of an app that becomes another person's, as pure functions beside `Lifecycle`.

/**
 * The first owner asks that the app be another's: a change that waits for review with whatever else waits. Nothing
 * changes before it is approved.
 */
export const transfer = (current: ManagedClient, nextOwnerId: UserId, now: DateTime.Utc): TransitionResult => {
  if (current.status === "pending" || current.status === "rejected") return notReviewed
  if (current.ownerId === nextOwnerId) return unchanged
  const waiting = current.change?.isWaiting ? current.change : null
  if (waiting?.nextOwnerId === nextOwnerId) return unchanged
  const change = new ClientChange({
    ...reviewedVersionOf(waiting ?? current),
    nextOwnerId,
    rejectionReason: null,
    submittedAt: waiting?.submittedAt ?? now
  })
  const details = { from: current.ownerId, to: nextOwnerId }
  const event = waiting === null ? "changed" : null
  return transition({ from: current, next: { change }, now, action: "client.transfer_asked", details, event })
}

/** The first owner takes that back, or the person whom the app was to go to has left; other wishes stay. */
export const withdrawTransfer = (current: ManagedClient, now: DateTime.Utc): TransitionResult => {
  const { change } = current
  if (change?.isTransfer !== true) return conflict("no_transfer", "This app is not to be given to anybody.")
  const isAlone = differences(current, change).length === 0
  const next = isAlone ? null : new ClientChange(Struct.omit(change, ["nextOwnerId"]))
  const details = { from: current.ownerId, to: change.nextOwnerId ?? "" }
  return transition({ from: current, next: { change: next }, now, action: "client.transfer_withdrawn", details })
}

/** The first owner has left, and a co-owner is in their place: the users of the app lose nothing. */
export const inherit = (current: ManagedClient, ownerId: UserId, now: DateTime.Utc): TransitionResult => {
  if (current.ownerId === ownerId) return unchanged
  const details = { from: current.ownerId, to: ownerId }
  const next = { ownerId, change: withoutTransfer(current) }
  return transition({ from: current, next, now, action: "client.inherited", details, event: "inherited" })
}

/** Nobody is left who could look after the app, which a reviewer hears of; nothing else of it changes. */
export const orphan = (current: ManagedClient, now: DateTime.Utc): TransitionResult =>
  transition({ from: current, next: {}, now, action: "client.ownerless", event: "ownerless" })

/** What waits, without the owner whom it names. */
export const withoutTransfer = (current: ManagedClient): ClientChange | null => {
  const { change } = current
  if (change?.isTransfer !== true) return change
  return differences(current, change).length === 0 ? null : new ClientChange(Struct.omit(change, ["nextOwnerId"]))
}

/** Next owner as the trail keeps it, beside the differences of a change. */
export const ownerSummary = ({ ownerId }: ManagedClient, nextOwnerId: string | null | undefined) =>
  typeof nextOwnerId === "string" ? { owner: `-${ownerId}\n+${nextOwnerId}` } : {}

/** Differences that a change makes, the owner included, as the trail keeps them. */
export const summaryOf = (current: ManagedClient, change: ClientChange): Record<string, string> => ({
  ...summary(current, change),
  ...ownerSummary(current, change.nextOwnerId)
})

/** Whose the app was and is to be, for the notice of a decision about a transfer. */
export const transferOf = ({ change, ownerId }: ManagedClient, { event }: Transition) =>
  (event === "change-approved" || event === "change-rejected" || event === "change-rejection-undone") &&
    typeof change?.nextOwnerId === "string"
    ? { transfer: { from: ownerId, to: change.nextOwnerId } }
    : {}

const notReviewed = conflict(
  "transfer_too_early",
  "An app that no reviewer has approved can be given to nobody: share it as a co-owner until then."
)

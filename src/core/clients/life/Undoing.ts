import { type DateTime, Struct } from "effect"
import type { ManagedClient } from "../records/Client.ts"
import { summary } from "./ChangeDiff.ts"
import { ownerSummary } from "./Transfer.ts"
import { transition, type TransitionResult } from "./Transition.ts"

/** Actions in the trail, by the decision that is taken back. */
const actions = {
  approved: "client.approval_undone",
  rejected: "client.rejection_undone",
  "change-approved": "client.change_approval_undone",
  "change-rejected": "client.change_rejection_undone",
  suspended: "client.suspension_undone",
  resumed: "client.resumption_undone"
} as const

/**
 * A reviewer takes back the last decision of their own: the app is as it was before, but for its version. Nobody has
 * heard of the decision, so nobody hears of this.
 */
export const undo = (
  current: ManagedClient,
  { before, kind }: { readonly before: ManagedClient; readonly kind: keyof typeof actions },
  now: DateTime.Utc
): TransitionResult =>
  transition({
    from: current,
    next: Struct.omit(before, ["updatedAt", "version"]),
    now,
    action: actions[kind],
    details: {
      ...summary(current, before),
      ...(current.ownerId === before.ownerId ? {} : ownerSummary(current, before.ownerId))
    }
  })

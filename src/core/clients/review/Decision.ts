import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { ScopeName } from "../../../domain/scopes/Scope.ts"
import { OwnerEvent } from "../../../foundation/jobs/kinds/ReviewNotice.ts"

/** Decisions that their reviewer may take back for a while. */
export const DecisionKind = OwnerEvent.pick([
  "approved",
  "rejected",
  "change-approved",
  "change-rejected",
  "suspended",
  "resumed"
])
export type DecisionKind = typeof DecisionKind.Type

/** A decision that its reviewer may still take back, because nothing has happened to the app since. */
export const Undoable = Schema.Struct({
  clientId: ClientId,
  /** Name of the app. */
  name: Schema.String,
  kind: DecisionKind,
  at: Schema.DateTimeUtcFromDate,
  until: Schema.DateTimeUtcFromDate,
  /** Version of the app since the decision, which its undoing names. */
  version: Schema.Int
}).annotate({ identifier: "UndoableDecision" })
export type Undoable = typeof Undoable.Type

/** Approval of what needs two, by the first of them (`REVIEW_TWO_PEOPLE`). */
export const FirstApproval = Schema.Struct({
  reviewer: Schema.String,
  at: Schema.DateTimeUtcFromDate,
  /** Scopes that the reviewer left out. */
  without: Schema.Array(ScopeName)
}).annotate({ identifier: "FirstApproval" })
export type FirstApproval = typeof FirstApproval.Type

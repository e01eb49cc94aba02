import { type DateTime, Result } from "effect"
import { Conflict } from "../../../domain/ApiError.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import type { ReviewEvent } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { ManagedClient } from "../records/Client.ts"

/** Effects of a command on a client: its next version, the audit entry, and the event that a mail tells of. */
export interface Transition {
  readonly client: ManagedClient
  readonly action: string
  readonly details: Readonly<Record<string, string>>
  readonly event: ReviewEvent | null
  /** Scopes that an approval leaves out. */
  readonly leftOut: ReadonlyArray<ScopeName>
}

/** `undefined` when the command changes nothing. */
export type TransitionResult<E = never> = Result.Result<Transition | undefined, Conflict | E>

/** Transition to the next version of a client; `next` holds the fields that change. */
export const transition = ({ action, details = {}, event = null, from, leftOut = [], next, now }: {
  readonly from: ManagedClient
  readonly next: Partial<ManagedClient>
  readonly now: DateTime.Utc
  readonly action: string
  readonly details?: Transition["details"]
  readonly event?: ReviewEvent | null
  readonly leftOut?: ReadonlyArray<ScopeName>
}): TransitionResult =>
  Result.succeed({
    client: new ManagedClient({
      ...from,
      ...(from.legacy && next.legacy === false ? { migratedAt: now } : {}),
      ...next,
      updatedAt: now,
      version: from.version + 1
    }),
    action,
    details: leftOut.length === 0 ? details : { ...details, leftOut: leftOut.join(" ") },
    event,
    leftOut
  })

export const unchanged: TransitionResult = Result.succeed(undefined)

export const conflict = (code: string, message: string) => Result.fail(new Conflict({ code, message }))

/** The command was given for a version that is no longer current. */
export const stale = conflict(
  "version_conflict",
  "The app has changed since you looked at it; nothing was changed. Look again and decide anew."
)

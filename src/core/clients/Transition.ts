import { type DateTime, Result } from "effect"
import { Conflict } from "../../domain/ApiError.ts"
import type { ReviewEvent } from "../../foundation/jobs/kinds/ReviewNotice.ts"
import { ManagedClient } from "./Client.ts"

/** What a command makes of a client: its next version, the entry of the audit trail, and whom to tell what. */
export interface Outcome {
  readonly client: ManagedClient
  readonly action: string
  readonly details: Readonly<Record<string, string>>
  readonly event: ReviewEvent | null
}

/** `undefined` when there is nothing to do. */
export type Decision<E = never> = Result.Result<Outcome | undefined, Conflict | E>

/** The next version of a client, and what is to be told of it. */
export const done = (
  current: ManagedClient,
  next: Partial<ManagedClient>,
  now: DateTime.Utc,
  action: string,
  details: Outcome["details"],
  event: ReviewEvent | null
): Decision =>
  Result.succeed({
    client: new ManagedClient({
      ...current,
      ...(current.legacy && next.legacy === false ? { migratedAt: now } : {}),
      ...next,
      updatedAt: now,
      version: current.version + 1
    }),
    action,
    details,
    event
  })

export const conflict = (code: string, message: string, details?: Conflict["details"]) =>
  Result.fail(new Conflict({ code, message, ...(details === undefined ? {} : { details }) }))

/** Somebody decides about a version that is no longer current. */
export const stale = conflict(
  "version_conflict",
  "The app has changed since you looked at it; nothing was changed. Look again and decide anew."
)

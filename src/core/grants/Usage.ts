import type { DateTime } from "effect"
import { counted } from "../../domain/Counted.ts"

/** Users with a live grant of a client, and when the latest of those grants was given. */
export interface Usage {
  /** Number of users, or of those that were counted. */
  readonly users: number
  /** True if all live grants were counted, and not only the first `mostCounted`. */
  readonly isComplete: boolean
  /** `null` without a grant that was given at a known time, and where not all of them were seen. */
  readonly authorizedAt: DateTime.Utc | null
}

/** A page that counts a million rows takes a second of the database: beyond these, nobody needs the exact number. */
export const mostCounted = 10_000

/** "3 users", "at least 9998 users" */
export const inWords = ({ isComplete, users }: Usage): string =>
  `${isComplete ? "" : "at least "}${counted(users, "user")}`

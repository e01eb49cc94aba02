import { DateTime, Duration } from "effect"

/** A run of rotations that begins with one and takes in those that follow within `REFRESH_GRACE` of it. */
export interface GraceWindow {
  /** First generation that was replaced in it, or an earlier one that was still in use when it began. */
  readonly generation: number
  readonly beganAt: DateTime.Utc
}

/**
 * Times at which refresh tokens of a grant were replaced, as exactly as two windows tell them. An app that refreshes
 * several times at once replaces its token more than once, and each of those tokens may come again within the grace. To
 * keep every rotation would be a row a refresh; of an app that refreshes now and then the grant keeps nothing.
 */
export interface GraceWindows {
  /** Window of the last rotation; `null` if that was the only one in it. */
  readonly current: GraceWindow | null
  /** Window before, if the current one began while its last token could still be repeated. */
  readonly earlier: GraceWindow | null
}

/**
 * Time until which a token of this generation, which is not the newest, is a repeat; `null` if it has been none for
 * long. That is at least the grace after its replacement, and at most twice the grace: neither repeats nor rotations
 * prolong it.
 */
export const repeatableUntil = (
  generation: number,
  newest: { readonly generation: number; readonly rotatedAt: DateTime.Utc },
  { current, earlier }: GraceWindows,
  grace: Duration.Duration
): DateTime.Utc | null => {
  const last = current ?? { generation: newest.generation - 1, beganAt: newest.rotatedAt }
  if (generation >= last.generation) return endOf(last, newest.rotatedAt, grace)
  if (earlier !== null && generation >= earlier.generation) return endOf(earlier, last.beganAt, grace)
  return null
}

/** End of a window whose tokens were all replaced at `lastAt` or before. */
const endOf = ({ beganAt }: GraceWindow, lastAt: DateTime.Utc, grace: Duration.Duration): DateTime.Utc =>
  DateTime.min(DateTime.addDuration(lastAt, grace), DateTime.addDuration(beganAt, Duration.times(grace, 2)))

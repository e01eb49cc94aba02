import { DateTime } from "effect"
import type { Coverage, HeldRight } from "../../core/usage/Use.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { agoText, dateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

// Use of rights in words, and what of it nobody sees. Every page with a number of calls has the second, too.

/**
 * What was seen of a right: "used 214 times, last 5 minutes ago", "never used", or that nobody knows. A number that is
 * not the whole one names the weeks that it is of.
 */
export const useText = (
  { calls, firstAt, lastAt, state }: Pick<HeldRight, "calls" | "firstAt" | "lastAt" | "state">,
  { keptSince }: Pick<Coverage, "keptSince">,
  reader: TimePreferences
): Html => {
  if (lastAt === null) return text(state === "unused" ? "use.never" : "use.unknown")
  const ago = agoText(lastAt, reader)
  if (calls === 0) return text("use.before", { ago })
  const isWhole = firstAt === null || DateTime.isGreaterThanOrEqualTo(firstAt, keptSince)
  return isWhole
    ? text("use.used", { calls, ago })
    : text("use.used.lately", { calls, ago, weeks: weeksText(keptSince) })
}

/** What of the use nobody sees, and whether anything is therefore called unused: a sentence or two. */
export const coverageText = (
  { completeSince, hasOffline, isCounting, keptSince }: Coverage,
  reader: TimePreferences
): Html => {
  if (!isCounting) return text("use.seen.off")
  if (hasOffline) return text("use.seen.offline")
  if (completeSince === null) return text("use.seen.notAll")
  return DateTime.isLessThanOrEqualTo(completeSince, keptSince)
    ? text("use.seen")
    : text("use.seen.since", { since: dateText(completeSince, reader) })
}

/** Weeks whose numbers are kept, as a duration: "13 weeks". */
export const weeksText = (keptSince: DateTime.Utc): Html =>
  forReader(({ language, now }) => {
    const weeks = now === undefined ? 0 : Math.round((now.epochMilliseconds - keptSince.epochMilliseconds) / week)
    return weeks === 0
      ? text("use.weeks")
      : language.number(weeks, { style: "unit", unit: "week", unitDisplay: "long" })
  })

const week = 7 * 86_400_000

import { DateTime, Duration } from "effect"
import { counted } from "../../domain/Counted.ts"
import { instantText, type TimePreferences } from "../../domain/InstantText.ts"
import { type Html, html, nothing } from "./Html.ts"

/**
 * An instant as its reader prefers it; the same in UTC, for comparing it with a log, shows where a pointer rests on it.
 */
export const dateText = (at: DateTime.Utc, reader: TimePreferences): Html => {
  const [shown, inUtc] = [instantText(at, reader), instantText(at, { ...reader, timeZone: "UTC" })]
  return html`<time datetime="${DateTime.formatIso(at)}"${
    shown === inUtc ? nothing : html` title="${inUtc}"`
  }>${shown}</time>`
}

/** Time since an instant in its largest unit: "3 days". */
export const age = (at: DateTime.Utc, now: DateTime.Utc): string => {
  const elapsed = Math.max(0, Duration.toMillis(DateTime.distance(at, now)))
  for (const [unit, length] of units) {
    const count = Math.floor(elapsed / length)
    if (count >= 1) return counted(count, unit)
  }
  return "less than a minute"
}

/** A duration of at least a minute in the largest unit that it is a whole number of, without seconds: "36 hours". */
export const durationText = (duration: Duration.Duration): string => {
  const length = Duration.toMillis(duration)
  const [unit, unitLength] = units.find(([, unitLength]) => length % unitLength === 0) ?? units[2]
  return counted(Math.floor(length / unitLength), unit)
}

const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]] as const

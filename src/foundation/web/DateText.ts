import { DateTime, Duration } from "effect"
import { type Html, html } from "./Html.ts"

/** The preferences of an account for reading times. */
export interface TimePreferences {
  /** A zone of the IANA database. */
  readonly timeZone: string
  /** Hours of the clock. */
  readonly timeFormat: 12 | 24
}

/** An instant as its reader prefers it: "21 Nov 2026, 01:12 UTC", or "1:12 am". */
export const dateText = (at: DateTime.Utc, reader: TimePreferences): Html =>
  html`<time datetime="${DateTime.formatIso(at)}">${formatter(reader).format(DateTime.toDateUtc(at))}</time>`

/** The time since an instant in its largest unit: "3 days". */
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

const counted = (count: number, unit: string): string => count === 1 ? `1 ${unit}` : `${count} ${unit}s`

const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]] as const

const formatter = ({ timeFormat, timeZone }: TimePreferences): Intl.DateTimeFormat => {
  const fields = { ...date, ...(timeFormat === 12 ? twelveHours : twentyFourHours) }
  try {
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone })
  } catch {
    // An identity source of a platform may name zones that Node does not know.
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone: "UTC" })
  }
}

const date = { day: "numeric", month: "short", year: "numeric", minute: "2-digit", timeZoneName: "short" } as const
const twelveHours = { hour: "numeric", hour12: true } as const
const twentyFourHours = { hour: "2-digit", hourCycle: "h23" } as const

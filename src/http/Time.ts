import { DateTime, Duration } from "effect"
import { type Html, html } from "./Html.ts"

/** An instant as people read it, in the zone of the reader: "21 Nov 2026, 01:12 UTC". */
export const moment = (at: DateTime.Utc, zone = "UTC"): Html =>
  html`<time datetime="${DateTime.formatIso(at)}">${formatter(zone).format(DateTime.toDateUtc(at))}</time>`

/** How long ago something was, coarsely: "3 days". */
export const age = (at: DateTime.Utc, now: DateTime.Utc): string => {
  const elapsed = Math.max(0, Duration.toMillis(DateTime.distance(at, now)))
  for (const [unit, length] of units) {
    const count = Math.floor(elapsed / length)
    if (count >= 1) return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
  }
  return "less than a minute"
}

const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]] as const

const formatter = (timeZone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone })
  } catch {
    // A platform's own identity source may name zones that we do not know.
    return new Intl.DateTimeFormat("en-GB", { ...fields, timeZone: "UTC" })
  }
}

const fields = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short"
} as const

import { Schema } from "effect"

/**
 * An instant as programs write it (RFC 3339); without a zone it is UTC, without a time the beginning of the day.
 * JavaScript guesses at all else: "11/12/2026" is the 12th of November to it, "2026-02-31" the 3rd of March.
 */
export const Instant = Schema.String.check(
  Schema.makeFilter((text) => isWritten(text) || "must be an instant such as 2026-11-21T02:30:00Z")
).pipe(Schema.decodeTo(Schema.DateTimeUtcFromString))

const isWritten = (text: string): boolean => {
  const day = form.exec(text)?.[1]
  if (day === undefined || Number.isNaN(Date.parse(text))) return false
  // A day that the month has not is one of the next month.
  return new Date(day).toISOString().startsWith(day)
}

// A space, and the hours alone of an offset, are what PostgreSQL writes.
const form = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/i

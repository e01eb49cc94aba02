import { DateTime, Option } from "effect"

/** Preferences of an account for reading times. */
export interface TimePreferences {
  /** A zone of the IANA database. */
  readonly timeZone: string
  /** Hours of the clock. */
  readonly timeFormat: 12 | 24
}

/**
 * An instant as pages and mails show it to a person: "21 Nov 2026, 01:12 UTC", or "1:12 am UTC+5:30". What programs
 * read, the command line's lists among it, is ISO 8601.
 */
export const instantText = (at: DateTime.Utc, reader: TimePreferences, locale = "en-GB"): string =>
  formatter(reader, locale, reader.timeFormat).formatToParts(DateTime.toDateUtc(at))
    // A narrow space before "pm" is missing in many a font of a mail.
    .map(({ type, value }) => type === "timeZoneName" ? zoneText(value) : value.replace("\u202f", " ")).join("")

/** Its day alone: "21 Nov 2026". */
export const dayText = (at: DateTime.Utc, reader: TimePreferences, locale: string): string =>
  formatter(reader, locale, "day").format(DateTime.toDateUtc(at))

/** Its day where the reader lives, as a field for a date has it: "2026-11-21". */
export const fieldDay = (at: DateTime.Utc, { timeZone }: Pick<TimePreferences, "timeZone">): string =>
  // A platform may name zones that are not known here.
  DateTime.formatIsoDate(Option.getOrElse(DateTime.setZoneNamed(at, timeZone), () => at))

/**
 * A zone as how far it is from UTC. Languages disagree on its name, and one language has several: "CET", "GMT-5",
 * "غرينتش+1".
 */
const zoneText = (name: string): string => {
  const [offset = ""] = /[+\u2212-].*/.exec(name) ?? []
  return offset === "+0" ? "UTC" : `UTC${offset}`
}

/** Making a formatter takes longer than all else of a line, and a page shows many instants to one reader. */
const formatter = ({ timeZone }: TimePreferences, locale: string, shows: keyof typeof fields): Intl.DateTimeFormat => {
  const key = `${locale} ${shows} ${timeZone}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  if (formatters.size >= mostFormatters) formatters.clear()
  const made = newFormatter(timeZone, locale, fields[shows])
  formatters.set(key, made)
  return made
}

const formatters = new Map<string, Intl.DateTimeFormat>()

// Each holds tens of kilobytes.
const mostFormatters = 64

const newFormatter = (timeZone: string, locale: string, fields: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat(locale, { ...fields, timeZone })
  } catch {
    // An identity source of a platform may name zones that Node does not know.
    return new Intl.DateTimeFormat(locale, { ...fields, timeZone: "UTC" })
  }
}

const day = { day: "numeric", month: "short", year: "numeric" } as const
const instant = { ...day, minute: "2-digit", timeZoneName: "shortOffset" } as const

/** What is shown: an instant, by the hours of the clock, or a day. */
const fields = {
  12: { ...instant, hour: "numeric", hour12: true },
  24: { ...instant, hour: "2-digit", hourCycle: "h23" },
  day
} as const

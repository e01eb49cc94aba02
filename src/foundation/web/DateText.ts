import { DateTime, Duration } from "effect"
import { dayText, instantText, type TimePreferences } from "../../domain/InstantText.ts"
import type { Language } from "../messages/Language.ts"
import { forReader, type Html, html, nothing, type Phrase } from "./Html.ts"
import { text } from "./Message.ts"

/**
 * An instant as its reader prefers it, and how far it is from now beside it; the same in UTC, for comparing it with a
 * log, shows where a pointer rests on it.
 */
export const dateText = (at: DateTime.Utc, preferences: TimePreferences): Html =>
  forReader(({ language, now }) => {
    const shown = instantText(at, preferences, language.locale)
    const inUtc = preferences.timeZone === "UTC"
      ? shown
      : instantText(at, { ...preferences, timeZone: "UTC" }, language.locale)
    const time = html`<time datetime="${DateTime.formatIso(at)}"${
      shown === inUtc ? nothing : html` title="${inUtc}"`
    }>${shown}</time>`
    return now === undefined
      ? time
      : text("time.beside", { at: time, distance: fromNow(language, at, now), muted: distance })
  })

/**
 * How long ago an instant is, to the minute, within a sentence: "5 minutes ago"; the instant where a pointer rests on
 * it, if its reader is given. Without, a long list of them is lighter.
 */
export const agoText = (at: DateTime.Utc, preferences?: TimePreferences): Html =>
  forReader(({ language, now }) => {
    const shown = instantText(at, preferences ?? { timeZone: "UTC", timeFormat: 24 }, language.locale)
    return html`<time${preferences === undefined ? nothing : html` class="age"`} datetime="${
      DateTime.formatIso(at).slice(0, 16)
    }Z"${now === undefined || preferences === undefined ? nothing : html` title="${shown}"`}>${
      now === undefined ? shown : fromNow(language, at, now, text("time.ago.now"))
    }</time>`
  })

/** The day of an instant, within a line that has no room for more. */
export const shortDateText = (at: DateTime.Utc, preferences: TimePreferences): Html =>
  forReader(({ language }) =>
    html`<time class="day" datetime="${DateTime.formatIso(at)}">${dayText(at, preferences, language.locale)}</time>`
  )

const distance = (content: ReadonlyArray<Phrase>): Html => html`<small class="distance">${content}</small>`

const fromNow = (language: Language, at: DateTime.Utc, now: DateTime.Utc, isNow: Phrase = text("time.now")): Phrase => {
  const elapsed = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(now)
  const [unit, length] = largeUnits.find(([, length]) => Math.abs(elapsed) >= length) ?? []
  return unit === undefined ? isNow : language.fromNow(Math.round(elapsed / length), unit)
}

/** Time since an instant in its largest unit: "3 days". */
export const age = (at: DateTime.Utc, now: DateTime.Utc): Html => {
  const elapsed = Math.max(0, Duration.toMillis(DateTime.distance(at, now)))
  const [unit, length] = units.find(([, length]) => elapsed >= length) ?? []
  return unit === undefined
    ? text("time.lessThanAMinute")
    : forReader(({ language }) => language.number(Math.floor(elapsed / length), { ...inWords, unit }))
}

/** Same, with the instant as its reader prefers it where a pointer rests on it. */
export const ageText = (at: DateTime.Utc, now: DateTime.Utc, preferences: TimePreferences): Html =>
  html`<time class="age" datetime="${DateTime.formatIso(at)}" title="${
    forReader(({ language }) => instantText(at, preferences, language.locale))
  }">${age(at, now)}</time>`

/** A duration of at least a minute in the largest unit that it is a whole number of, without seconds: "36 hours". */
export const durationText = (duration: Duration.Duration): Html =>
  forReader(({ language }) => durationIn(language, duration))

/** Same as a text in this language. */
export const durationIn = (language: Language, duration: Duration.Duration): string => {
  const length = Duration.toMillis(duration)
  const [unit, unitLength] = units.find(([, unitLength]) => length % unitLength === 0) ?? units[2]
  return language.number(Math.floor(length / unitLength), { ...inWords, unit })
}

const inWords = { style: "unit", unitDisplay: "long" } as const

const units = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]] as const
const day = units[0][1]
// Roughly, beside the exact instant.
const largeUnits = [["year", 365 * day], ["month", 30 * day], ...units] as const

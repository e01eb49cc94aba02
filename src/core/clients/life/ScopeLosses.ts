import { DateTime, Duration } from "effect"
import { Conflict } from "../../../domain/ApiError.ts"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { isRetired, noteOf, successors } from "../../../domain/catalogue/Retirement.ts"
import { counted } from "../../../domain/Counted.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import type { Usage } from "./LegacyUsage.ts"
import { type Loss, lossInEnglish } from "./Loss.ts"

/** Losses that saving these scopes for a legacy client would cause, by what was seen of it. */
export const lossesOf = (
  { covers }: Pick<Catalogue, "covers">,
  { days, scopes: used, uncoveredCalls, unscopedRequests, words }: Usage,
  scopes: ReadonlyArray<ScopeName>
): ReadonlyArray<Loss> => [
  ...(unscopedRequests === 0 ? [] : [{ kind: "urls", requests: unscopedRequests, days } as const]),
  ...used.flatMap(({ and = [], calls, or = [], requests, scope }) => {
    // An app may request a scope that a wider one of its own covers.
    const isCovered = (scope: ScopeName) => covers(scopes, scope)
    const [first, ...others] = or.length > 0
      ? or.some(isCovered) || isCovered(scope) ? [] : [scope, ...or]
      : [scope, ...and].filter((scope) => !isCovered(scope))
    return requests + calls === 0 || first === undefined
      ? []
      : [{ kind: "scopes", scopes: [first, ...others], requests, calls } as const]
  }),
  ...(uncoveredCalls === 0 ? [] : [{ kind: "calls", calls: uncoveredCalls } as const]),
  ...words.map(({ requests, word }) => ({ kind: "word", word, requests }) as const)
]

/**
 * Scopes that calls needed, and where not all calls are known, or none came, those that requests named as well: of
 * several any of which would have done, the least risky, unless another of them was seen by itself. In the place of one
 * that no app may add any more are those that stand for it.
 */
export const suggestionOf = (
  catalogue: Catalogue,
  { knowsCalls, scopes }: Pick<Usage, "knowsCalls" | "scopes">,
  now: DateTime.Utc
): ReadonlyArray<ScopeName> => {
  const called = scopes.filter(({ calls }) => calls > 0)
  const seen = knowsCalls && called.length > 0 ? called : scopes
  const single = seen.filter(({ or }) => or === undefined).flatMap(({ and = [], scope }) => [scope, ...and])
  const open = seen.filter(({ or = [], scope }) => ![scope, ...or].some((name) => catalogue.covers(single, name)))
  const suggested = [...single, ...open.map(({ scope }) => scope)]
  return [
    ...new Set(suggested.flatMap((scope) => isRetired(catalogue, scope, now) ? successors(catalogue, scope) : scope))
  ]
}

/** Tells if the client was observed for so short a time that what was seen of it proves nothing. */
export const isTooEarly = ({ observedUntil }: Usage, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(now, observedUntil)

/** Progress of the observation: so many of its days, or of its hours where it does not last whole days. */
export const observation = ({ observedSince, observedUntil }: Usage, now: DateTime.Utc) => {
  const hours = (to: DateTime.Utc) => Math.floor(Duration.toHours(DateTime.distance(observedSince, to)))
  const [done, all] = [hours(now), hours(observedUntil)]
  return all % 24 === 0
    ? { done: Math.floor(done / 24), all: all / 24, unit: "day" } as const
    : { done, all, unit: "hour" } as const
}

/** Refusal of a command that saves these scopes, unless nothing speaks against it. */
export const objection = (
  catalogue: Catalogue,
  usage: Usage,
  scopes: ReadonlyArray<ScopeName>,
  now: DateTime.Utc
): Conflict | undefined => {
  const losses = lossesOf(catalogue, usage, scopes)
  const { all, done, unit } = observation(usage, now)
  const early = isTooEarly(usage, now)
    ? [`It is too early to know what breaks: the app was observed for ${done} of ${counted(all, unit)}.`]
    : []
  if (losses.length === 0 && early.length === 0) return undefined
  return new Conflict({
    code: losses.length > 0 ? "old_urls_in_use" : "too_early",
    message: [
      ...losses.map(sentence(catalogue)),
      ...(losses.length > 0
        ? ["Such requests, and such calls with new tokens, are refused once scopes are saved."]
        : []),
      ...early,
      "Confirm that to go on."
    ].join(" "),
    // For programs; pages have a box for it.
    details: [{ path: "breakOldUrls", message: "must be true to go on" }]
  })
}

/** A loss as programs read it, with what became of a scope. */
const sentence = (catalogue: Catalogue) => (loss: Loss): string => {
  const note = loss.kind === "scopes" ? noteOf(catalogue, loss.scopes[0]) : undefined
  return [lossInEnglish(loss), ...(note === undefined ? [] : [note])].join(" ")
}

/** Codes of refusals that a confirmation overcomes. */
export const isObjection = ({ code }: { readonly code: string }): boolean =>
  code === "old_urls_in_use" || code === "too_early"

import { DateTime, Duration } from "effect"
import { Conflict } from "../../../domain/ApiError.ts"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { isRetired, noteOf, successors } from "../../../domain/catalogue/Retirement.ts"
import { counted } from "../../../domain/Counted.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { allOf } from "../../../domain/Text.ts"
import type { ScopeUse, Usage } from "./LegacyUsage.ts"

/** What saving some scopes for a legacy client would cost it, by what was seen of it. */
export type Loss =
  | { readonly _tag: "Unscoped"; readonly requests: number; readonly days: number }
  /** None of these scopes is among those to save, and any of them would have done. */
  | {
    readonly _tag: "Missing"
    readonly scopes: ReadonlyArray<ScopeName>
    readonly requests: number
    readonly calls: number
  }
  | { readonly _tag: "Unknown"; readonly word: string; readonly requests: number }

/** Losses that saving these scopes would cause. */
export const lossesOf = (
  { covers }: Catalogue,
  { days, scopes: seen, unscopedRequests, words }: Usage,
  scopes: ReadonlyArray<ScopeName>
): ReadonlyArray<Loss> => [
  ...(unscopedRequests === 0 ? [] : [{ _tag: "Unscoped", requests: unscopedRequests, days } as const]),
  ...seen.flatMap(({ calls, or = [], requests, scope }) => {
    // An app may request a scope that a wider one of its own covers.
    const enough = [scope, ...or]
    return requests + calls === 0 || enough.some((one) => covers(scopes, one))
      ? []
      : [{ _tag: "Missing", scopes: enough, requests, calls } as const]
  }),
  ...words.map(({ requests, word }) => ({ _tag: "Unknown", word, requests }) as const)
]

/** A loss as programs read it. */
export const lossInWords = (catalogue: Catalogue, loss: Loss): string => {
  switch (loss._tag) {
    case "Unscoped":
      return `URLs without scope are still in use: ${counted(loss.requests, "request")} of the last ${loss.days} days.`
    case "Unknown":
      return `${loss.word} is no scope: named by ${counted(loss.requests, "request")}.`
    case "Missing": {
      const [scope, ...others] = loss.scopes
      const missing = others.length === 0
        ? `${scope} is not among the scopes`
        : `None of ${allOf(loss.scopes)} is among the scopes`
      const lost = [
        ...(loss.requests > 0 ? [`named by ${counted(loss.requests, "request")}`] : []),
        ...(loss.calls > 0 ? [`needed by ${counted(loss.calls, "API call")}`] : [])
      ]
      const note = scope === undefined ? undefined : noteOf(catalogue, scope)
      return `${missing}: ${lost.join(" and ")}.${note === undefined ? "" : ` ${note}`}`
    }
  }
}

/**
 * Scopes that were seen: of several any of which would have done, the least risky, unless another of them was seen by
 * itself. In the place of one that no app may add any more are those that stand for it.
 */
export const suggestionOf = (
  catalogue: Catalogue,
  seen: ReadonlyArray<ScopeUse>,
  now: DateTime.Utc
): ReadonlyArray<ScopeName> => {
  const single = seen.filter(({ or }) => or === undefined).map(({ scope }) => scope)
  const open = seen.filter(({ or = [], scope }) => ![scope, ...or].some((name) => catalogue.covers(single, name)))
  const suggested = [...single, ...open.map(({ scope }) => scope)]
  return [
    ...new Set(suggested.flatMap((scope) => isRetired(catalogue, scope, now) ? successors(catalogue, scope) : scope))
  ]
}

/** Tells if the client was observed for so short a time that what was seen of it proves nothing. */
export const isTooEarly = ({ observedUntil }: Usage, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(now, observedUntil)

/** Progress of the observation, for people. */
export const observation = ({ observedSince, observedUntil }: Usage, now: DateTime.Utc): string => {
  const of = (to: DateTime.Utc) => Duration.toMillis(DateTime.distance(observedSince, to))
  const hours = (millis: number) => Math.floor(millis / 3_600_000)
  const [done, all] = [hours(of(now)), hours(of(observedUntil))]
  return all % 24 === 0
    ? `${Math.floor(done / 24)} of ${counted(all / 24, "day")}`
    : `${done} of ${counted(all, "hour")}`
}

/** Refusal of a command that saves these scopes, unless nothing speaks against it. */
export const objection = (
  catalogue: Catalogue,
  usage: Usage,
  scopes: ReadonlyArray<ScopeName>,
  now: DateTime.Utc
): Conflict | undefined => {
  const losses = lossesOf(catalogue, usage, scopes)
  const early = isTooEarly(usage, now)
    ? [`It is too early to know what breaks: the app was observed for ${observation(usage, now)}.`]
    : []
  if (losses.length === 0 && early.length === 0) return undefined
  return new Conflict({
    code: losses.length > 0 ? "old_urls_in_use" : "too_early",
    message: [
      ...losses.map((loss) => lossInWords(catalogue, loss)),
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

/** Codes of refusals that a confirmation overcomes. */
export const isObjection = ({ code }: { readonly code: string }): boolean =>
  code === "old_urls_in_use" || code === "too_early"

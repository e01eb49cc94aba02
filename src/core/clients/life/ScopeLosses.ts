import { DateTime, Duration } from "effect"
import { Conflict } from "../../../domain/ApiError.ts"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { isRetired, noteOf, successors } from "../../../domain/catalogue/Retirement.ts"
import { counted } from "../../../domain/Counted.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { allOf } from "../../../domain/Text.ts"
import type { ScopeUse, Usage } from "./LegacyUsage.ts"

/** Losses that saving these scopes for a legacy client would cause, by what was seen of it: sentences for people. */
export const lossesOf = (
  catalogue: Catalogue,
  usage: Usage,
  scopes: ReadonlyArray<ScopeName>
): ReadonlyArray<string> => {
  const { covers } = catalogue
  const { days, unscopedRequests } = usage
  return [
    ...(unscopedRequests === 0
      ? []
      : [`URLs without scope are still in use: ${counted(unscopedRequests, "request")} of the last ${days} days.`]),
    ...usage.scopes.flatMap((use) => {
      // An app may request a scope that a wider one of its own covers.
      const enough = [use.scope, ...use.or ?? []]
      const lost = enough.some((scope) => covers(scopes, scope)) ? [] : [
        ...(use.requests > 0 ? [`named by ${counted(use.requests, "request")}`] : []),
        ...(use.calls > 0 ? [`needed by ${counted(use.calls, "API call")}`] : [])
      ]
      const missing = enough.length === 1
        ? `${use.scope} is not among the scopes`
        : `None of ${allOf(enough)} is among the scopes`
      const note = noteOf(catalogue, use.scope)
      return lost.length === 0 ? [] : [`${missing}: ${lost.join(" and ")}.${note === undefined ? "" : ` ${note}`}`]
    }),
    ...usage.words.map(({ requests, word }) => `${word} is no scope: named by ${counted(requests, "request")}.`)
  ]
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
      ...losses,
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

import { DateTime } from "effect"
import { allOf } from "../Listed.ts"
import { type Broken, broken } from "../Rule.ts"
import type { ScopeName } from "../scopes/Scope.ts"
import type { Catalogue } from "./Catalogue.ts"

// A retired scope has two days, in UTC as no place is named: from `since` no app may add it, and after `until` no app
// may ask users for it. Who holds it keeps it, with what stands for it.

type Retirements = Pick<Catalogue, "retirement">

/** Tells if apps that have not got a scope may not add it any more. */
export const isRetired = ({ retirement }: Retirements, scope: ScopeName, now: DateTime.Utc): boolean => {
  const { since } = retirement(scope) ?? {}
  return since !== undefined && DateTime.formatIsoDateUtc(now) >= since
}

/** Tells if no app may ask users for a scope any more, although it has it. */
export const isOver = ({ retirement }: Retirements, scope: ScopeName, now: DateTime.Utc): boolean => {
  const { until } = retirement(scope) ?? {}
  return until !== undefined && DateTime.formatIsoDateUtc(now) > until
}

/** Scopes to use in the place of a retired one: those that stand for it, and for these in turn. */
export const successors = ({ retirement }: Retirements, scope: ScopeName): ReadonlyArray<ScopeName> => {
  const lasting = (name: ScopeName): ReadonlyArray<ScopeName> => {
    const retired = retirement(name)
    return retired === undefined ? [name] : (retired.standsFor ?? []).flatMap(lasting)
  }
  return [...new Set(retirement(scope) === undefined ? [] : lasting(scope))]
}

/** Why an app may not add a retired scope. */
export const whyNotAdded = (catalogue: Retirements, scope: ScopeName): Broken => {
  const { since = "" } = catalogue.retirement(scope) ?? {}
  const names = successors(catalogue, scope)
  return names.length === 0
    ? broken("scopeRetired", { scope, since })
    : broken("scopeReplaced", { scope, since, successors: names })
}

/** Why users are not asked for a scope any more. */
export const whyNotAsked = (catalogue: Retirements, scope: ScopeName): string =>
  `${scope}, retired and not to be asked for after ${catalogue.retirement(scope)?.until}${instead(catalogue, scope)}`

/** What is to become of a scope, or has, for developers; `undefined` of one that lasts. True on every day. */
export const noteOf = (catalogue: Retirements, scope: ScopeName): string | undefined => {
  const retired = catalogue.retirement(scope)
  if (retired === undefined) return undefined
  const { since, until } = retired
  const last = until === undefined ? "" : ` Apps that have it may ask users for it until ${until}.`
  return `Retired from ${since} on${instead(catalogue, scope)}.${last}`
}

const instead = (catalogue: Retirements, scope: ScopeName): string => {
  const names = successors(catalogue, scope)
  return names.length === 0 ? "" : `: use ${allOf(names)} instead`
}

import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { alternatives, decide, type Requirement } from "../../domain/scopes/Requirement.ts"
import { isSubset } from "../../domain/scopes/Scope.ts"

/** Who calls: without a token (`"none"`), with a legacy grant (`null`), or with a token of these scopes. */
export type Caller = "none" | null | ReadonlyArray<string>

/** What one catalogue requires of a call. */
export interface Judged {
  readonly requirement: Requirement
  readonly catalogue: Pick<Catalogue, "covers">
}

/**
 * Least callers that pass `after` and did not pass `before`, among those without a token, legacy grants, and tokens of
 * these scopes; empty if there is none. What more scopes pass, fewer passed in `before` as little, so that the least
 * sets of scopes that pass `after` decide.
 */
export const gained = (before: Judged, after: Judged, scopes: ReadonlyArray<string>): ReadonlyArray<Caller> =>
  candidates(before, after, scopes).filter((caller) => passes(after, caller) && !passes(before, caller))

export const passes = ({ catalogue, requirement }: Judged, caller: Caller): boolean =>
  decide(requirement, caller, catalogue)._tag === "Allowed"

const candidates = (before: Judged, after: Judged, scopes: ReadonlyArray<string>): ReadonlyArray<Caller> => {
  const { requirement } = after
  switch (requirement._tag) {
    case "Public":
      return ["none", null, []]
    case "ScopeIfToken":
      return ["none", null, ...leastSets(before, after, scopes)]
    case "Scope":
      return [null, ...leastSets(before, after, scopes)]
    case "LegacyGrant":
      return [null]
    case "Closed":
      return []
  }
}

/** Sets of scopes that pass `after`; of those that mean the same to `before`, one. */
const leastSets = (
  before: Judged,
  after: Judged,
  scopes: ReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<string>> => {
  const asked = alternatives(before.requirement).flat()
  const sets = alternatives(after.requirement).flatMap((needed) => {
    const choices = needed.map((name) => leastChoices(before, asked, suffice(after, name, scopes)))
    return choices.reduce<ReadonlyArray<ReadonlyArray<string>>>(
      (sets, choice) => sets.flatMap((set) => choice.map((scope) => [...set, scope])).slice(0, mostSets),
      [[]]
    )
  })
  return sets.map((set) => [...new Set(set)])
}

/** Scopes that cover one, itself first. */
const suffice = ({ catalogue }: Judged, name: string, scopes: ReadonlyArray<string>): ReadonlyArray<string> =>
  scopes.filter((scope) => catalogue.covers([scope], name)).sort((one, other) =>
    Number(other === name) - Number(one === name)
  )

/** Scopes of which none opens as much as another one in `before` and more. */
const leastChoices = (
  { catalogue }: Judged,
  asked: ReadonlyArray<string>,
  choices: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const opens = (scope: string) => asked.filter((name) => catalogue.covers([scope], name))
  const known = choices.map((scope) => ({ scope, opens: opens(scope) }))
  return known.filter((one, at) =>
    !known.some((other, place) => isSubset(other.opens, one.opens) && (!isSubset(one.opens, other.opens) || place < at))
  ).map(({ scope }) => scope)
}

/** More than any list of ours has by far: an operation that needs ten scopes, each covered by two others. */
const mostSets = 4_096

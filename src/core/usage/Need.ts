import { Schema } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopesNeeded } from "../../domain/scopes/Requirement.ts"
import type { GrantedScopes, Scope, ScopeName } from "../../domain/scopes/Scope.ts"

// This room counts what rights are used for. The doors that check calls note them (`UsageNotes`), each server hands its
// sums to the database (`CountedUsage`), the worker adds them up (`UsageMerge`), and pages, the management API and the
// command line read them (`UsageReports`).

/**
 * What calls needed, as one text: a scope; several with `+` between, all of which were needed; or several with spaces
 * between, any of which would have done. It is empty where nobody knows, because a server asked about the token alone.
 */
export const Need = Schema.String.annotate({
  identifier: "Need",
  description: "A scope; several that were needed together, with + between; or several of which one does, with spaces"
})
export type Need = typeof Need.Type

/** Need of a call whose operation is not known, such as one that a server checks by introspection. */
export const unknownNeed: Need = ""

/** Need of a call that a token without restriction alone may make: no scope covers it (specification §5.6). */
export const legacyNeed: Need = "*"

export const needOf = ({ and, or, scope }: ScopesNeeded): Need =>
  and !== undefined ? [scope, ...and].join("+") : or !== undefined ? [scope, ...or].join(" ") : scope

/**
 * Needs that are told apart of one grant, and of one app on a day: more than a catalogue's operations have. Reports and
 * checks of gateways may combine scopes as they like, and anybody with a token can ask as a gateway does. Calls that
 * needed yet another are added to the unknown ones.
 */
export const mostNeeds = 200

/** Scopes that are needed together, for each way to satisfy a need. */
export const waysOf = (need: Need): ReadonlyArray<ReadonlyArray<ScopeName>> =>
  need === unknownNeed ? [] : need.includes("+") ? [need.split("+")] : need.split(" ").map((scope) => [scope])

/** Tells if these scopes are enough for a need. One of a catalogue that is gone is covered by its own name alone. */
export const satisfies = (catalogue: Pick<Catalogue, "covers">, granted: GrantedScopes, need: Need): boolean =>
  granted === null ||
  waysOf(need).some((way) => way.every((scope) => granted.includes(scope) || catalogue.covers(granted, scope)))

/**
 * Scopes among those that are held by which a need was satisfied: those that it names, or else those that include what
 * it names. A scope that includes others is not used where a narrower one is held that does as well.
 */
export const usedBy = (
  catalogue: Pick<Catalogue, "wider">,
  held: ReadonlyArray<ScopeName>,
  need: Need
): ReadonlyArray<ScopeName> => {
  const through = (scope: ScopeName): ReadonlyArray<ScopeName> => {
    if (held.includes(scope)) return [scope]
    const wider: ReadonlyArray<ScopeName> = catalogue.wider(scope).filter((name) => held.includes(name))
    return wider.filter((name) => !wider.some((other) => other !== name && includes(catalogue, name, other)))
  }
  const way = waysOf(need).map((scopes) => scopes.map(through)).find((scopes) => scopes.every((by) => by.length > 0))
  return way?.flat() ?? []
}

/**
 * Scopes among those that are held with any of which a token could have satisfied a need. A token may have any part of
 * what its app may ask for, so one that names the need is not always the one that was used.
 */
export const mayHaveUsed = (
  catalogue: Pick<Catalogue, "wider">,
  held: ReadonlyArray<ScopeName>,
  need: Need
): ReadonlyArray<ScopeName> => {
  const named = waysOf(need).flat()
  return held.filter((name) => named.some((scope) => scope === name || includes(catalogue, name, scope)))
}

const includes = ({ wider }: Pick<Catalogue, "wider">, name: ScopeName, narrower: ScopeName): boolean =>
  wider(narrower).some((scope: Scope) => scope === name)

import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { Fault } from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import type { ReviewedVersion } from "./ReviewedFields.ts"

// Some scopes of an app may be optional: its users may decline them and give the rest. Those that are not are required.
// Rows that servers of the release before wrote may have marks of scopes that the app has not got any more; a mark
// without its scope means nothing.

/** Scopes of an app, and those of them that are optional. */
type Scopes = Pick<ReviewedVersion, "optionalScopes" | "scopes">

/** Scopes without which the app gets no access. */
export const requiredOf = ({ optionalScopes, scopes }: Scopes): ReadonlyArray<ScopeName> =>
  scopes.filter((scope) => !optionalScopes.includes(scope))

/** Faults in what an owner entered as optional, of an app that would have these scopes and had others before. */
export const optionalFaults = (
  catalogue: Pick<Catalogue, "covers" | "isScope">,
  entered: ReadonlyArray<string>,
  wanted: Scopes,
  before: Scopes = { scopes: [], optionalScopes: [] }
): ReadonlyArray<Fault> => {
  const pathOf = (scope: string) => {
    const at = entered.indexOf(scope)
    return at < 0 ? "optionalScopes" : `optionalScopes.${at}`
  }
  return [
    // Names that the catalogue does not have are at fault by themselves.
    ...entered.filter((name) => catalogue.isScope(name) && !wanted.scopes.includes(name))
      .map((scope) => ({ path: pathOf(scope), ...broken("optionalElsewhere", { scope }) })),
    // Who declined it would give it all the same. A later catalogue may bring an app there by itself, which an edit of
    // something else leaves as it is.
    ...wanted.optionalScopes.flatMap((scope) => {
      const covering = coveringOf(catalogue, wanted, scope)
      return covering === undefined || coveringOf(catalogue, before, scope) !== undefined
        ? []
        : [{ path: pathOf(scope), ...broken("optionalIncluded", { scope, covering }) }]
    }),
    ...(wanted.scopes.length > 0 && requiredOf(wanted).length === 0
      ? [{ path: "optionalScopes", ...broken("noneRequired") }]
      : [])
  ]
}

/** Required scope that an optional one comes with in any case. */
const coveringOf = (
  { covers }: Pick<Catalogue, "covers">,
  { optionalScopes, scopes }: Scopes,
  optional: ScopeName
): ScopeName | undefined =>
  optionalScopes.includes(optional)
    ? requiredOf({ scopes, optionalScopes }).find((scope) => covers([scope], optional))
    : undefined

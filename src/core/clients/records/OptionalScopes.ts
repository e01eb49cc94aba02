import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { Fault } from "../../../domain/Input.ts"
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
  const fault = (scope: string, why: string): Fault => {
    const at = entered.indexOf(scope)
    return { path: at < 0 ? "optionalScopes" : `optionalScopes.${at}`, message: `must not name ${scope}: ${why}` }
  }
  return [
    // Names that the catalogue does not have are at fault by themselves.
    ...entered.filter((name) => catalogue.isScope(name) && !wanted.scopes.includes(name))
      .map((scope) => fault(scope, "it is not among the scopes of the app")),
    // Who declined it would give it all the same. A later catalogue may bring an app there by itself, which an edit of
    // something else leaves as it is.
    ...wanted.optionalScopes.flatMap((scope) => {
      const covering = coveringOf(catalogue, wanted, scope)
      const isNew = covering !== undefined && coveringOf(catalogue, before, scope) === undefined
      return isNew ? [fault(scope, `${covering}, which is required, includes it`)] : []
    }),
    ...(wanted.scopes.length > 0 && requiredOf(wanted).length === 0
      ? [{ path: "optionalScopes", message: "must leave at least one scope required" }]
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

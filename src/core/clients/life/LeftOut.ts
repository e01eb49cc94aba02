import { Result } from "effect"
import type { BadRequest } from "../../../domain/ApiError.ts"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { type Fault, invalid } from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import type { ManagedClient } from "../records/Client.ts"
import { requiredOf } from "../records/OptionalScopes.ts"
import { type ReviewedVersion, reviewedVersionOf } from "../records/ReviewedFields.ts"
import { differences } from "./ChangeDiff.ts"

/** Scopes that an approval may leave out: all of a new app, and those that a change adds. */
export const mayBeLeftOut = ({ change, scopes }: ManagedClient): ReadonlyArray<ScopeName> =>
  change === null ? scopes : change.scopes.filter((scope) => !scopes.includes(scope))

/** What a reviewer approves: the version that waits, without the scopes that they leave out. */
export const approvedPart = (
  { covers }: Pick<Catalogue, "covers">,
  current: ManagedClient,
  without: ReadonlyArray<string>
): Result.Result<ReviewedVersion & { readonly leftOut: ReadonlyArray<ScopeName> }, BadRequest> => {
  const wanted = reviewedVersionOf(current.change ?? current)
  const isKept = (scope: string) => !without.includes(scope)
  const scopes = wanted.scopes.filter(isKept)
  const version = { ...wanted, scopes, optionalScopes: wanted.optionalScopes.filter(isKept) }
  const leftOut = wanted.scopes.filter((scope) => !isKept(scope))
  if (without.length === 0) return Result.succeed({ ...version, leftOut })
  const choice = mayBeLeftOut(current)
  const faults = without.flatMap((name, i): ReadonlyArray<Fault> => {
    const path = `without.${i}`
    const scope = choice.find((scope) => scope === name)
    if (scope === undefined) return [{ path, ...broken("leftOutElsewhere", { scope: name }) }]
    // Its users would give it all the same.
    const covering = scopes.find((kept) => covers([kept], scope))
    return covering === undefined ? [] : [{ path, ...broken("leftOutIncluded", { scope, covering }) }]
  })
  const rest: ReadonlyArray<Fault> = requiredOf(version).length === 0
    ? [{ path: "without", ...broken("leftOutAll") }]
    : current.change !== null && !current.change.isTransfer && differences(current, version).length === 0
    ? [{ path: "without", ...broken("leftOutChange") }]
    : []
  const all = [...faults, ...rest]
  return all.length > 0 ? Result.fail(invalid(all)) : Result.succeed({ ...version, leftOut })
}

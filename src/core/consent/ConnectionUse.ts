import { DateTime } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { ListedGrant } from "../grants/GrantList.ts"
import { legacyNeed, waysOf } from "../usage/Need.ts"
import { type Coverage, type GrantUse, type HeldRight, isComplete, rightsOf } from "../usage/Use.ts"

/** What is known of the use of an app, by all the grants that it has of one user. */
export interface ConnectionUse {
  /** Use of each right, as `rights` of `Catalogue` has them; where nothing restricts the app, those that it used. */
  readonly rights: ReadonlyArray<HeldRight>
  readonly last: LastUse
  /** From when on each call was seen and none was made; `null` where one may have been missed. */
  readonly quietSince: DateTime.Utc | null
}

/** Last call, or else, where calls may have been missed, when the app last got tokens. */
export interface LastUse {
  readonly by: "calls" | "tokens"
  /** `null` if it was never used, or if it has got no tokens here yet. */
  readonly at: DateTime.Utc | null
}

/** Use of grants of an app, some of which may not have been looked at (`isWhole`). */
export const connectionUse = (
  catalogue: Pick<Catalogue, "covers" | "rights" | "wider">,
  grants: ReadonlyArray<ListedGrant>,
  { coverage, isWhole, uses }: {
    readonly coverage: Coverage
    readonly isWhole: boolean
    readonly uses: ReadonlyMap<string, GrantUse>
  }
): ConnectionUse => {
  const known = grants.map((grant) => ({ grant, use: uses.get(grant.id) ?? unknown }))
  const isSeen = isWhole && known.every(({ use }) => use.isCurrent)
  const calls = latest(known.map(({ use }) => use.lastAt))
  const tokens = latest(grants.map(({ lastTokensAt }) => lastTokensAt))
  const isSeenLast = isSeen &&
    (calls === null ? known.every(isSeenFromBeginning(coverage)) : isComplete(coverage, calls))
  return {
    rights: rightsOfAll(catalogue, known, coverage, isWhole),
    last: isSeenLast || calls !== null && (tokens === null || DateTime.isGreaterThanOrEqualTo(calls, tokens))
      ? { by: "calls", at: calls }
      : { by: "tokens", at: tokens },
    quietSince: isSeen && coverage.completeSince !== null
      ? latest([coverage.completeSince, calls, ...grants.map(({ createdAt }) => createdAt)])
      : null
  }
}

interface KnownGrant {
  readonly grant: ListedGrant
  readonly use: GrantUse
}

const isSeenFromBeginning = (coverage: Coverage) => ({ grant: { createdAt, isImported } }: KnownGrant): boolean =>
  !isImported && isComplete(coverage, createdAt)

const rightsOfAll = (
  catalogue: Pick<Catalogue, "covers" | "rights" | "wider">,
  known: ReadonlyArray<KnownGrant>,
  coverage: Coverage,
  isWhole: boolean
): ReadonlyArray<HeldRight> => {
  const found = known.flatMap(({ grant: { createdAt, isImported, scopes }, use }) =>
    rightsOf(
      catalogue,
      catalogue.rights(scopes ?? scopesUsed(use)),
      { ...use, isCurrent: use.isCurrent && isWhole && !isImported },
      { coverage, since: createdAt }
    )
  )
  const shown = catalogue.rights(found.map(({ scope }) => scope))
  // What is a right of one device may be part of a right of another.
  const isOf = (scope: ScopeName) => (right: HeldRight) =>
    right.scope === scope || !shown.includes(right.scope) && catalogue.covers([scope], right.scope)
  const rights = shown.map((scope) => sumOf(scope, found.filter(isOf(scope))))
  // One device without restriction may do everything: there is no number of rights that it does not use.
  return known.some(({ grant: { scopes } }) => scopes === null)
    ? rights.filter(({ state }) => state === "used")
    : rights
}

const sumOf = (scope: ScopeName, rights: ReadonlyArray<HeldRight>): HeldRight => {
  const used = rights.filter(({ state }) => state === "used")
  return {
    scope,
    state: used.length > 0 ? "used" : rights.every(({ state }) => state === "unused") ? "unused" : "unknown",
    calls: used.reduce((sum, { calls }) => sum + calls, 0),
    firstAt: earliest(used.map(({ firstAt }) => firstAt)),
    lastAt: latest(used.map(({ lastAt }) => lastAt))
  }
}

/** Scopes by which a grant without restriction was used. */
const scopesUsed = ({ uses }: GrantUse): ReadonlyArray<ScopeName> =>
  uses.flatMap(({ need }) => need === legacyNeed ? [] : waysOf(need)[0] ?? [])

const latest = (instants: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  instants.reduce((a, b) => a === null ? b : b === null ? a : DateTime.max(a, b), null)

const earliest = (instants: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  instants.reduce((a, b) => a === null ? b : b === null ? a : DateTime.min(a, b), null)

const unknown: GrantUse = { uses: [], lastAt: null, isCurrent: false }

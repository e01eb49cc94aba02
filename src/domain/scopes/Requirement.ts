import { Array, Data, type Order } from "effect"
import { type GrantedScopes, isSubset, type Scope, type ScopeName } from "./Scope.ts"

/** Condition under which a caller may use an operation of the platform API. */
export type Requirement = Data.TaggedEnum<{
  /** Anyone, without a token and with any token (specification §2.3 rule 2). */
  Public: {}
  /** Anyone without a token; a token needs the scope. */
  ScopeIfToken: ScopesNeeded
  /** A token with the scope. */
  Scope: ScopesNeeded
  /** A token of a legacy grant: no scope covers the operation, and such a grant needs none (specification §5.6). */
  LegacyGrant: {}
  /** No app at all, whatever its token: listed as never for apps, not listed, or not a path that could be listed. */
  Closed: { readonly reason: "closed" | "unlisted" | "malformed" }
}>
export const Requirement = Data.taggedEnum<Requirement>()

/** A scope, by itself for nearly all operations. */
export interface ScopesNeeded {
  readonly scope: Scope
  /** Others that do as well, the less risky first; `scope` is the least risky of all. */
  readonly or?: ReadonlyArray<Scope>
  /** Others that are needed, too. */
  readonly and?: ReadonlyArray<Scope>
}

/** Requirement of any one of these: asked for is the least risky one, and of several the first. */
export const anyOf = (scopes: Array.NonEmptyReadonlyArray<Scope>, byRisk: Order.Order<ScopeName>): ScopesNeeded => {
  const [scope, ...or] = Array.sort(scopes, byRisk)
  return or.length === 0 ? { scope } : { scope, or }
}

/** Requirement of all of these. */
export const allOf = ([scope, ...and]: Array.NonEmptyReadonlyArray<Scope>): ScopesNeeded =>
  and.length === 0 ? { scope } : { scope, and }

/** Scopes that a caller has to ask for: of several that do, the least risky. */
export interface ScopesLacking {
  readonly scope: Scope
  readonly and?: ReadonlyArray<Scope>
}

/** Decision of the policy about one call. */
export type Decision = Data.TaggedEnum<{
  Allowed: {}
  /** 401: the operation needs a token with the scope, and there is none. */
  TokenRequired: ScopesLacking
  /** 403 `insufficient_scope` (RFC 6750 §3.1): the token lacks the scope. */
  InsufficientScope: ScopesLacking
  /** 403: no scope would help. */
  Refused: { readonly reason: "closed" | "unlisted" | "malformed" }
}>
export const Decision = Data.taggedEnum<Decision>()

/** Tells which scopes cover which: a catalogue does. */
interface Covering {
  covers(granted: GrantedScopes, needed: ScopeName): boolean
}

/**
 * Decides on a caller without a token (`"none"`) or with the scopes of a verified one. A legacy grant (`null`) has no
 * scope restriction, but it is still an app's: what is never for apps is not for it.
 */
export const decide = (
  requirement: Requirement,
  granted: GrantedScopes | "none",
  catalogue: Covering
): Decision => {
  switch (requirement._tag) {
    case "Public":
      return allowed
    case "ScopeIfToken":
      return granted === "none" ? allowed : judge(catalogue, requirement, granted)
    case "Scope":
      return granted === "none" ? tokenRequired(requirement) : judge(catalogue, requirement, granted)
    case "LegacyGrant":
      return granted === null ? allowed : Decision.Refused({ reason: "closed" })
    case "Closed":
      return Decision.Refused({ reason: requirement.reason })
  }
}

/** Tests if whatever one lets pass the other does, too, by the names of scopes. */
export const isAsStrict = (one: Requirement, other: Requirement): boolean =>
  rank[one._tag] >= rank[other._tag] && (!("scope" in one) || !("scope" in other) || suffices(one, other))

/** Scopes that are needed together, for each way to pass; none where scopes do not decide. */
export const alternatives = (requirement: Requirement): ReadonlyArray<ReadonlyArray<Scope>> => {
  if (!("scope" in requirement)) return []
  const { and = [], or = [], scope }: ScopesNeeded = requirement
  return [[scope, ...and], ...or.map((other) => [other])]
}

/** Names of scopes as `scope` lists them (RFC 6749 §3.3). */
export const scopeList = ({ and = [], scope }: ScopesLacking): string => [scope, ...and].join(" ")

const judge = ({ covers }: Covering, needed: ScopesNeeded, granted: GrantedScopes): Decision => {
  const { and, scope } = needed
  if (and !== undefined) {
    const missing = [scope, ...and].filter((name) => !covers(granted, name))
    return Array.isArrayNonEmpty(missing) ? Decision.InsufficientScope(allOf(missing)) : allowed
  }
  const isEnough = covers(granted, scope) || needed.or?.some((other) => covers(granted, other)) === true
  return isEnough ? allowed : Decision.InsufficientScope({ scope })
}

const tokenRequired = ({ and, scope }: ScopesNeeded): Decision =>
  Decision.TokenRequired(and === undefined ? { scope } : { scope, and })

const suffices = (one: Requirement, other: Requirement): boolean =>
  alternatives(one).every((held) => alternatives(other).some((needed) => isSubset(needed, held)))

const allowed = Decision.Allowed()

const rank = { Public: 0, ScopeIfToken: 1, Scope: 2, LegacyGrant: 3, Closed: 4 } as const

import { Data } from "effect"
import type { Catalogue } from "./Catalogue.ts"
import type { GrantedScopes, Scope } from "./Scope.ts"

/** Condition under which a caller may use an operation of the platform API. */
export type Requirement = Data.TaggedEnum<{
  /** Anyone, without a token and with any token (specification §2.3 rule 2). */
  Public: {}
  /** Anyone without a token; a token needs the scope. */
  ScopeIfToken: { readonly scope: Scope }
  /** A token with the scope. */
  Scope: { readonly scope: Scope }
  /** A token of a legacy grant: no scope covers the operation, and such a grant needs none (specification §5.6). */
  LegacyGrant: {}
  /** No app at all, whatever its token: listed as never for apps, not listed, or not a path that could be listed. */
  Closed: { readonly reason: "closed" | "unlisted" | "malformed" }
}>
export const Requirement = Data.taggedEnum<Requirement>()

/** Decision of the policy about one call. */
export type Decision = Data.TaggedEnum<{
  Allowed: {}
  /** 401: the operation needs a token with the scope, and there is none. */
  TokenRequired: { readonly scope: Scope }
  /** 403 `insufficient_scope` (RFC 6750 §3.1): the token lacks the scope. */
  InsufficientScope: { readonly scope: Scope }
  /** 403: no scope would help. */
  Refused: { readonly reason: "closed" | "unlisted" | "malformed" }
}>
export const Decision = Data.taggedEnum<Decision>()

/**
 * Decides on a caller without a token (`"none"`) or with the scopes of a verified one. A legacy grant (`null`) has no
 * scope restriction, but it is still an app's: what is never for apps is not for it.
 */
export const decide = (
  requirement: Requirement,
  granted: GrantedScopes | "none",
  { covers }: Pick<Catalogue, "covers">
): Decision => {
  switch (requirement._tag) {
    case "Public":
      return allowed
    case "ScopeIfToken":
      if (granted === "none" || covers(granted, requirement.scope)) return allowed
      return Decision.InsufficientScope({ scope: requirement.scope })
    case "Scope":
      if (granted === "none") return Decision.TokenRequired({ scope: requirement.scope })
      if (covers(granted, requirement.scope)) return allowed
      return Decision.InsufficientScope({ scope: requirement.scope })
    case "LegacyGrant":
      return granted === null ? allowed : Decision.Refused({ reason: "closed" })
    case "Closed":
      return Decision.Refused({ reason: requirement.reason })
  }
}

/** Stricter one; `undefined` when neither is, because they name different scopes. */
export const stricter = (one: Requirement, other: Requirement): Requirement | undefined => {
  const [less, more] = rank[one._tag] <= rank[other._tag] ? [one, other] : [other, one]
  if (less._tag === "Public" || more._tag === "Closed" || more._tag === "LegacyGrant") return more
  return "scope" in less && "scope" in more && less.scope === more.scope ? more : undefined
}

const allowed = Decision.Allowed()

const rank = { Public: 0, ScopeIfToken: 1, Scope: 2, LegacyGrant: 3, Closed: 4 } as const

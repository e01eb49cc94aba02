import { Result, Schema } from "effect"

// This room knows the scopes: the catalogue, what covers what, what people read about them, and which operation of the
// platform API requires which (`EndpointPolicy`).

const user = [
  "EVENT_TYPE_READ",
  "EVENT_TYPE_WRITE",
  "BOOKING_READ",
  "BOOKING_WRITE",
  "SCHEDULE_READ",
  "SCHEDULE_WRITE",
  "APPS_READ",
  "APPS_WRITE",
  "PROFILE_READ",
  "PROFILE_WRITE",
  "WEBHOOK_READ",
  "WEBHOOK_WRITE",
  "VERIFIED_RESOURCES_READ",
  "VERIFIED_RESOURCES_WRITE"
] as const

const team = [
  "TEAM_EVENT_TYPE_READ",
  "TEAM_EVENT_TYPE_WRITE",
  "TEAM_BOOKING_READ",
  "TEAM_BOOKING_WRITE",
  "TEAM_SCHEDULE_READ",
  "TEAM_SCHEDULE_WRITE",
  "TEAM_PROFILE_READ",
  "TEAM_PROFILE_WRITE",
  "TEAM_MEMBERSHIP_READ",
  "TEAM_MEMBERSHIP_WRITE",
  "TEAM_APPS_READ",
  "TEAM_APPS_WRITE",
  "TEAM_ROUTING_FORM_READ",
  "TEAM_ROUTING_FORM_WRITE",
  "TEAM_WORKFLOW_READ",
  "TEAM_WORKFLOW_WRITE",
  "TEAM_VERIFIED_RESOURCES_READ",
  "TEAM_VERIFIED_RESOURCES_WRITE"
] as const

const organization = [
  "ORG_EVENT_TYPE_READ",
  "ORG_EVENT_TYPE_WRITE",
  "ORG_BOOKING_READ",
  "ORG_BOOKING_WRITE",
  "ORG_SCHEDULE_READ",
  "ORG_SCHEDULE_WRITE",
  "ORG_PROFILE_READ",
  "ORG_PROFILE_WRITE",
  "ORG_MEMBERSHIP_READ",
  "ORG_MEMBERSHIP_WRITE",
  "ORG_ROUTING_FORM_READ",
  "ORG_ROUTING_FORM_WRITE",
  "ORG_WEBHOOK_READ",
  "ORG_WEBHOOK_WRITE"
] as const

/** A scope of the catalogue (specification §2.3), the `scope-token` of RFC 6749 §3.3. */
export const Scope = Schema.Literals([...user, ...team, ...organization]).annotate({ identifier: "Scope" })
export type Scope = typeof Scope.Type

/**
 * Name of a scope as rows, jobs, tokens and answers have it. Those of another release may name scopes that the
 * catalogue does not: they are kept and shown as they are, and cover nothing.
 */
export const ScopeName = Schema.String.annotate({
  identifier: "ScopeName",
  description: "A scope; another release may know more of them."
})
export type ScopeName = typeof ScopeName.Type

/** All 46 scopes in catalogue order, the order in which answers list them. */
export const catalogue: ReadonlyArray<Scope> = Scope.literals

/** Level of a scope: the data of a user, a team or an organization. */
export type Level = "user" | "team" | "organization"

export const level = (scope: Scope): Level =>
  scope.startsWith("TEAM_") ? "team" : scope.startsWith("ORG_") ? "organization" : "user"

/** Tests if a scope lets an app change something; it never implies the right to read it. */
export const isWrite = (scope: Scope): boolean => scope.endsWith("_WRITE")

/** Scopes of a grant or token in catalogue order, or `null` for a legacy grant, which has no restriction. */
export const GrantedScopes = Schema.NullOr(Schema.Array(ScopeName))
export type GrantedScopes = typeof GrantedScopes.Type

/**
 * Reads scopes separated by spaces, commas or both; duplicates collapse. Fails with the names outside the catalogue.
 */
export const parse = (text: string): Result.Result<ReadonlyArray<Scope>, ReadonlyArray<string>> => {
  const { scopes, words } = named(text)
  return words.length > 0 ? Result.fail(words) : Result.succeed(scopes)
}

/** Scopes that a text names, in catalogue order, and the words in it that are none. */
export const named = (
  text: string
): { readonly scopes: ReadonlyArray<Scope>; readonly words: ReadonlyArray<string> } => {
  const names = new Set(text.split(/[ ,]+/).filter((name) => name !== ""))
  return {
    scopes: catalogue.filter((scope) => names.has(scope)),
    words: [...names].filter((name) => !isScope(name))
  }
}

/** Words that a caller sent, as a message may repeat them: the first few of those that look like a scope. */
export const quotable = (words: ReadonlyArray<string>): string => {
  const plausible = words.filter((word) => /^[A-Za-z0-9_.:/-]{1,64}$/.test(word)).slice(0, 5)
  return plausible.length === 0 ? "" : `: ${plausible.join(" ")}`
}

/** Scopes separated by single spaces, in catalogue order (specification §2.2). */
export const format = (scopes: Iterable<ScopeName>): string => inOrder(scopes).join(" ")

/** Same scopes without duplicates, in catalogue order; behind them those that it does not know. */
export const inOrder = (scopes: Iterable<ScopeName>): ReadonlyArray<ScopeName> => {
  const named = [...scopes]
  return isInOrder(named) ? named : [...catalogue.filter((scope) => named.includes(scope)), ...unknownOf(named)]
}

const isInOrder = (scopes: ReadonlyArray<ScopeName>): boolean =>
  scopes.every((scope, at) => place(scopes[at - 1]) < place(scope))

/** Names that the catalogue does not know, by the alphabet. */
export const unknownOf = (scopes: Iterable<ScopeName>): ReadonlyArray<ScopeName> =>
  [...new Set(scopes)].filter((name) => !isScope(name)).sort()

/** Tests if all of `scopes` are among `allowed`, name by name. */
export const isSubset = (scopes: Iterable<ScopeName>, allowed: Iterable<ScopeName>): boolean => {
  const set = new Set(allowed)
  for (const scope of scopes) if (!set.has(scope)) return false
  return true
}

/**
 * Tests if the granted scopes cover `needed`: by name, or by the `ORG_` scope of the same name (specification §2.3).
 */
export const covers = (granted: GrantedScopes, needed: ScopeName): boolean => {
  if (granted === null) return true
  if (granted.includes(needed)) return true
  if (!needed.startsWith("TEAM_")) return false
  const wider = `ORG_${needed.slice("TEAM_".length)}`
  return isScope(wider) && granted.includes(wider)
}

export const isScope = (name: string): name is Scope => places.has(name)

const places: ReadonlyMap<string, number> = new Map(catalogue.map((scope, at) => [scope, at]))
const place = (scope: ScopeName = ""): number => places.get(scope) ?? -1

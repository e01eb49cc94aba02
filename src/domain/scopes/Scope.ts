import { Schema } from "effect"
import type { BuiltInScope } from "./BuiltInNames.ts"
import type { Register } from "./Register.ts"

// This room has the names of scopes, and what an operation may require of them (`Requirement`). Which scopes there are,
// what covers what, and what people read about them says a catalogue, which is data (`domain/catalogue`).

/** A scope of the catalogue, the `scope-token` of RFC 6749 §3.3. */
export type Scope = Register extends { readonly catalogue: { readonly scope: infer Name extends string } } ? Name
  : BuiltInScope

/**
 * Name of a scope as rows, jobs, tokens and answers have it. Those of another release or catalogue may name scopes that
 * the catalogue does not: they are kept and shown as they are, and cover nothing.
 */
export const ScopeName = Schema.String.annotate({
  identifier: "ScopeName",
  description: "A scope; another release may know more of them."
})
export type ScopeName = typeof ScopeName.Type

/** Scopes of a grant or token in catalogue order, or `null` for a legacy grant, which has no restriction. */
export const GrantedScopes = Schema.NullOr(Schema.Array(ScopeName))
export type GrantedScopes = typeof GrantedScopes.Type

/** Tests if all of `scopes` are among `allowed`, name by name. */
export const isSubset = (scopes: Iterable<ScopeName>, allowed: Iterable<ScopeName>): boolean => {
  const set = new Set(allowed)
  for (const scope of scopes) if (!set.has(scope)) return false
  return true
}

/** Words that a caller sent, as a message may repeat them: the first few of those that look like a scope. */
export const quotable = (words: ReadonlyArray<string>): string => {
  const plausible = words.filter((word) => /^[A-Za-z0-9_.:/-]{1,64}$/.test(word)).slice(0, 5)
  return plausible.length === 0 ? "" : `: ${plausible.join(" ")}`
}

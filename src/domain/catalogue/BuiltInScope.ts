import { BuiltInScope } from "../scopes/BuiltInNames.ts"
import type { Scope as AnyScope } from "../scopes/Scope.ts"
import { builtIn, type Catalogue } from "./Catalogue.ts"

// What programs import as `Scope`: scopes of the catalogue of the specification, as plain functions. A program with
// another catalogue asks that one.

export { GrantedScopes, isSubset, quotable, ScopeName } from "../scopes/Scope.ts"

/** A scope of the catalogue (specification §2.3), the `scope-token` of RFC 6749 §3.3. */
export const Scope = BuiltInScope.annotate({ identifier: "Scope" })
export type Scope = AnyScope

/** All 46 scopes in catalogue order, the order in which answers list them. */
export const catalogue: ReadonlyArray<Scope> = BuiltInScope.literals

/** Level of a scope: the data of a user, a team or an organization. */
export type Level = "user" | "team" | "organization"

export const level = (scope: Scope): Level =>
  scope.startsWith("TEAM_") ? "team" : scope.startsWith("ORG_") ? "organization" : "user"

/** Tests if a scope lets an app change something; it never implies the right to read it. */
export const isWrite = (scope: Scope): boolean => builtIn().isWrite(scope)
export const isScope = (name: string): name is Scope => builtIn().isScope(name)
export const parse: Catalogue["parse"] = (text) => builtIn().parse(text)
export const named: Catalogue["named"] = (text) => builtIn().named(text)
export const format: Catalogue["format"] = (scopes) => builtIn().format(scopes)
export const inOrder: Catalogue["inOrder"] = (scopes) => builtIn().inOrder(scopes)
export const unknownOf: Catalogue["unknownOf"] = (scopes) => builtIn().unknownOf(scopes)
export const covers: Catalogue["covers"] = (granted, needed) => builtIn().covers(granted, needed)

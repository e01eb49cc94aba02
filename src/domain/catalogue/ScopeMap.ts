import { type Endpoint, Method } from "../operations/EndpointList.ts"
import type { Policy } from "../operations/Policy.ts"
import { alternatives } from "../scopes/Requirement.ts"
import type { Scope } from "../scopes/Scope.ts"
import type { Catalogue } from "./Catalogue.ts"

/** Operations of the platform API by what a caller needs for them; each is in one of the lists at least. */
export interface ScopeMap {
  /** Operations that need each scope of the catalogue, by itself, with others, or as one of several. */
  readonly byScope: ReadonlyMap<Scope, ReadonlyArray<Endpoint>>
  readonly public: ReadonlyArray<Endpoint>
  /** Operations that no scope covers, and which only a legacy grant may call (specification §5.6). */
  readonly legacy: ReadonlyArray<Endpoint>
  /** Operations that no app may call. */
  readonly closed: ReadonlyArray<Endpoint>
}

export const scopeMap = ({ names }: Catalogue, endpoints: ReadonlyArray<Endpoint>): ScopeMap => {
  const of = (kind: Endpoint["requirement"]["_tag"]) => endpoints.filter(({ requirement }) => requirement._tag === kind)
  const byScope = new Map(names.map((scope): [Scope, Array<Endpoint>] => [scope, []]))
  for (const endpoint of endpoints) for (const scope of scopesOf(endpoint)) byScope.get(scope)?.push(endpoint)
  return {
    byScope,
    public: of("Public"),
    legacy: of("LegacyGrant"),
    closed: of("Closed")
  }
}

/** Scopes that an operation names; none where none helps, or none is needed. */
export const scopesOf = ({ requirement }: Endpoint): ReadonlyArray<Scope> => alternatives(requirement).flat()

/** Path of a call of this operation. */
export const exampleCall = ({ path }: Endpoint): string => path.replaceAll(/\{[^}]*\}/g, "123")

/**
 * Operations in which every word of a text is found: a method, part of a path, or part of a scope's name or
 * description. A path may also come from a call, with values in place of its parameters, or a whole address.
 */
export const findOperations = (
  catalogue: Catalogue,
  policy: Policy,
  text: string,
  language?: string
): ReadonlyArray<Endpoint> => {
  const words = wordsOf(text)
  return policy.endpoints.filter((endpoint) =>
    words.every((word) => isFound(catalogue, policy, endpoint, word, language))
  )
}

/** What an app needs that does what a text says: scopes, and operations that anyone may call. */
export const findScopes = (catalogue: Catalogue, policy: Policy, text: string, language?: string) => {
  const found = findOperations(catalogue, policy, text, language)
  const needed = new Set(found.flatMap(scopesOf))
  const words = wordsOf(text).map((word) => word.toLowerCase())
  const isMeant = (scope: Scope) =>
    words.every((word) => aboutScope(catalogue, scope, language).some((about) => about.includes(word)))
  return {
    scopes: catalogue.names.filter((scope) => needed.has(scope) || isMeant(scope)),
    public: found.filter(({ requirement }) => requirement._tag === "Public")
  }
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text.split(/\s+/).filter((word) => word !== "").map((word) => URL.canParse(word) ? new URL(word).pathname : word)

const aboutScope = ({ describe }: Catalogue, scope: Scope, language?: string): ReadonlyArray<string> =>
  [scope, ...Object.values(describe(scope, language))].map((text) => text.toLowerCase())

const isFound = (
  catalogue: Catalogue,
  policy: Policy,
  endpoint: Endpoint,
  word: string,
  language?: string
): boolean => {
  const { method, path } = endpoint
  if (methods.has(word.toUpperCase())) return method === word.toUpperCase()
  const about = scopesOf(endpoint).flatMap((scope) => aboutScope(catalogue, scope, language))
  const wanted = word.toLowerCase()
  if ([path.toLowerCase(), ...about].some((text) => text.includes(wanted))) return true
  return word.startsWith("/") && policy.find(method, word).operation?.path === path
}

const methods: ReadonlySet<string> = new Set(Method.literals)

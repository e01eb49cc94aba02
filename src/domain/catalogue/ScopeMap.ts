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
  text: string
): ReadonlyArray<Endpoint> => {
  const words = text.split(/\s+/).filter((word) => word !== "").map((word) =>
    URL.canParse(word) ? new URL(word).pathname : word
  )
  return policy.endpoints.filter((endpoint) => words.every((word) => isFound(catalogue, policy, endpoint, word)))
}

const isFound = (catalogue: Catalogue, policy: Policy, endpoint: Endpoint, word: string): boolean => {
  const { method, path } = endpoint
  if (methods.has(word.toUpperCase())) return method === word.toUpperCase()
  const about = scopesOf(endpoint).flatMap((scope) => [scope, ...Object.values(catalogue.describe(scope))])
  const wanted = word.toLowerCase()
  if ([path, ...about].some((text) => text.toLowerCase().includes(wanted))) return true
  return word.startsWith("/") && policy.find(method, word).operation?.path === path
}

const methods: ReadonlySet<string> = new Set(Method.literals)

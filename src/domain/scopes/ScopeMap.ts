import type { Catalogue } from "./Catalogue.ts"
import { type Endpoint, Method } from "./EndpointList.ts"
import type { Policy } from "./EndpointPolicy.ts"
import type { Scope } from "./Scope.ts"

/** Operations of the platform API by what a caller needs for them; each is in one of the lists. */
export interface ScopeMap {
  /** Operations that need each scope of the catalogue. */
  readonly byScope: ReadonlyMap<Scope, ReadonlyArray<Endpoint>>
  readonly public: ReadonlyArray<Endpoint>
  /** Operations that no scope covers, and which only a legacy grant may call (specification §5.6). */
  readonly legacy: ReadonlyArray<Endpoint>
  /** Operations that no app may call. */
  readonly closed: ReadonlyArray<Endpoint>
}

export const scopeMap = ({ names }: Catalogue, endpoints: ReadonlyArray<Endpoint>): ScopeMap => {
  const of = (kind: Endpoint["requirement"]["_tag"]) => endpoints.filter(({ requirement }) => requirement._tag === kind)
  return {
    byScope: new Map(
      names.map((scope) => [scope, endpoints.filter((endpoint) => scopeOf(endpoint) === scope)])
    ),
    public: of("Public"),
    legacy: of("LegacyGrant"),
    closed: of("Closed")
  }
}

/** Scope that an operation names; `undefined` where none helps, or none is needed. */
export const scopeOf = ({ requirement }: Endpoint): Scope | undefined =>
  requirement._tag === "Scope" || requirement._tag === "ScopeIfToken" ? requirement.scope : undefined

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
  const scope = scopeOf(endpoint)
  const about = scope === undefined ? [] : [scope, ...Object.values(catalogue.describe(scope))]
  const wanted = word.toLowerCase()
  if ([path, ...about].some((text) => text.toLowerCase().includes(wanted))) return true
  return word.startsWith("/") && policy.find(method, word).operation?.path === path
}

const methods: ReadonlySet<string> = new Set(Method.literals)

import { isAsStrict, Requirement } from "../scopes/Requirement.ts"
import type { Endpoint, Method, Problem } from "./EndpointList.ts"
import { compile, type Place, type ShapeRules } from "./ShapeRules.ts"
import { fold, key } from "./Template.ts"

/** Requirement of the paths of one shape. */
export interface Rule {
  readonly requirement: Requirement
  readonly operation: Operation
}

/** An operation as it is listed: its path has the names of parameters, never their values. */
export interface Operation {
  readonly method: string
  readonly path: string
}

/**
 * Listed operations of one method, and one more rule for every shape on which two of them meet without either being the
 * more specific (`/a/{x}/c` and `/a/b/{y}` meet on `/a/b/c`). There the stricter one holds, because nobody knows which
 * of the two the platform's router takes; if neither is stricter, the list is ambiguous. The same holds for a path and
 * the one with a slash at its end, which many routers take for one.
 */
export const rules = (
  method: Method,
  listed: ReadonlyArray<Endpoint>,
  problems: Array<Problem>
): ShapeRules<Rule> | undefined =>
  orTooMany(
    compile(withoutTwins(listed, problems), (place) => ({
      requirement: strictest(place, problems),
      operation: place.listed ?? { method, path: pathOf(place) }
    })),
    listed,
    problems
  )

/** Operations without those that nobody could tell from an earlier one. */
const withoutTwins = (listed: ReadonlyArray<Endpoint>, problems: Array<Problem>): ReadonlyArray<Endpoint> => {
  const known = new Map<string, ReadonlyArray<Endpoint>>()
  return listed.filter((endpoint) => {
    const { template } = endpoint
    const lower = key(fold(template))
    const earlier = known.get(lower) ?? []
    const inCase = earlier.find((other) => key(other.template) !== key(template))
    const twin = inCase ?? earlier.find((other) => other.template.slash === template.slash)
    if (twin === undefined) {
      known.set(lower, [...earlier, endpoint])
      return true
    }
    const how = inCase === undefined ? "" : " where a router ignores case"
    problems.push({
      line: endpoint.line,
      problem: `${named(endpoint)} matches the same paths as line ${twin.line}${how}`
    })
    return false
  })
}

/** Strictest requirement of the operations that a router may take. */
const strictest = (place: Place, problems: Array<Problem>): Requirement => {
  const { candidates } = place
  const strict = candidates.find((one) => candidates.every((other) => isAsStrict(one.requirement, other.requirement)))
  if (strict !== undefined) return strict.requirement
  for (const [at, later] of candidates.entries()) {
    const rival = candidates.slice(0, at).find((earlier) => !isComparable(earlier.requirement, later.requirement))
    if (rival === undefined) continue
    const how = rival.template.slash === later.template.slash
      ? `both match ${pathOf(place)}`
      : "many routers ignore the slash at the end"
    const problem = `${named(later)} is ambiguous with line ${rival.line}: ${how}`
    // Two that differ by the slash meet twice: with it and without it.
    if (problems.at(-1)?.problem !== problem) problems.push({ line: later.line, problem })
    break
  }
  return closed
}

const isComparable = (one: Requirement, other: Requirement): boolean => isAsStrict(one, other) || isAsStrict(other, one)

const orTooMany = (
  compiled: ShapeRules<Rule> | undefined,
  listed: ReadonlyArray<Endpoint>,
  problems: Array<Problem>
): ShapeRules<Rule> | undefined => {
  if (compiled === undefined) {
    problems.push({
      line: listed[0]?.line ?? 1,
      problem: "the operations meet on more paths than can be checked: write some of them out"
    })
  }
  return compiled
}

/** A path as one is listed, without the names of its parameters. */
const pathOf = ({ shape, slash }: Place): string => `/${key(shape).replaceAll(/\{\d+\}/g, "{}")}${slash ? "/" : ""}`

const named = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`

const closed = Requirement.Closed({ reason: "closed" })

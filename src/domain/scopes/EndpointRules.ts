import type { Endpoint, Method, Problem } from "./EndpointList.ts"
import { Requirement, stricter } from "./Requirement.ts"
import { includes, key, meet, type Template } from "./Template.ts"

/** Requirement of the paths of one template. */
export interface Rule {
  readonly template: Template
  readonly requirement: Requirement
  readonly operation: Operation
}

/** An operation as it is listed: its path has the names of parameters, never their values. */
export interface Operation {
  readonly method: string
  readonly path: string
}

/**
 * Listed operations of one method, and one more rule for every path on which two of them meet without either being the
 * more specific (`/a/{x}/c` and `/a/b/{y}` meet on `/a/b/c`). There the stricter one holds, because nobody knows which
 * of the two the platform's router takes; if neither is stricter, the list is ambiguous.
 */
export const rules = (
  method: Method,
  listed: ReadonlyArray<Endpoint>,
  problems: Array<Problem>
): ReadonlyArray<Rule> => {
  const byKey = new Map<string, Endpoint>()
  for (const endpoint of listed) {
    const twin = byKey.get(key(endpoint.template))
    if (twin === undefined) byKey.set(key(endpoint.template), endpoint)
    else {problems.push({
        line: endpoint.line,
        problem: `${named(endpoint)} matches the same paths as line ${twin.line}`
      })}
  }
  const meetings = closure(listed.map((endpoint) => endpoint.template)).filter((shape) => !byKey.has(key(shape)))
  return [
    ...listed.map((operation) => ({ template: operation.template, requirement: operation.requirement, operation })),
    ...meetings.flatMap((template) => {
      const requirement = strictest(template, listed, problems)
      return requirement === undefined
        ? []
        : [{ template, requirement, operation: { method, path: `/${key(template)}` } }]
    })
  ]
}

/** `OPTIONS` for each listed path: public unless no app may use any method of it. */
export const preflightRules = (endpoints: ReadonlyArray<Endpoint>): ReadonlyArray<Rule> => {
  const open = endpoints.filter((endpoint) => endpoint.requirement._tag !== "Closed")
  return closure(endpoints.map((endpoint) => endpoint.template)).map((template) => ({
    template,
    operation: { method: "OPTIONS", path: `/${key(template)}` },
    requirement: open.some((endpoint) => includes(endpoint.template, template))
      ? Requirement.Public()
      : Requirement.Closed({ reason: "closed" })
  }))
}

/** Templates, and all the templates on which any of them meet; only those of one length do. */
const closure = (templates: ReadonlyArray<Template>): ReadonlyArray<Template> =>
  [...Map.groupBy(templates, ({ length }) => length).values()].flatMap(closureOfLength)

const closureOfLength = (templates: ReadonlyArray<Template>): ReadonlyArray<Template> => {
  const known = new Map(templates.map((template) => [key(template), template]))
  // The meetings of earlier templates are in the list when a later one comes, so meetings of more than two are found,
  // too.
  for (const template of templates) {
    for (const other of known.values()) {
      const both = meet(template, other)
      if (both !== undefined && !known.has(key(both))) known.set(key(both), both)
    }
  }
  return [...known.values()]
}

/** Strictest among the most specific operations that match all of `shape`. */
const strictest = (
  shape: Template,
  listed: ReadonlyArray<Endpoint>,
  problems: Array<Problem>
): Requirement | undefined => {
  const matching = listed.filter((endpoint) => includes(endpoint.template, shape))
  const closest = matching.filter((endpoint) =>
    matching.every((other) => other === endpoint || !includes(endpoint.template, other.template))
  )
  let strict: Requirement | undefined
  for (const endpoint of closest) {
    strict = strict === undefined ? endpoint.requirement : stricter(strict, endpoint.requirement)
    if (strict !== undefined) continue
    const rival = closest.find((other) => stricter(other.requirement, endpoint.requirement) === undefined)
    problems.push({
      line: endpoint.line,
      problem: `${named(endpoint)} is ambiguous with line ${rival?.line ?? endpoint.line}: both match /${key(shape)}`
    })
    return undefined
  }
  return strict
}

const named = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`

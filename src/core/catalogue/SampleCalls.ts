import type { Endpoint } from "../../domain/scopes/EndpointList.ts"
import { key, meet, type Template } from "../../domain/scopes/Template.ts"

/** A call, as it stands for all of its form. */
export interface SampleCall {
  readonly method: string
  readonly path: string
}

/**
 * A call for each form of calls that two lists tell apart: those of their operations, and those on which several
 * of them meet. What other spellings of a path are refused for does not count: they open nothing that a listed one
 * keeps closed.
 */
export const sampleCalls = (
  one: ReadonlyArray<Endpoint>,
  other: ReadonlyArray<Endpoint>
): ReadonlyArray<SampleCall> =>
  [...Map.groupBy([...one, ...other], ({ method }) => method)].flatMap(([method, listed]) =>
    closure(listed.map(({ template }) => template)).map((template) => ({
      method,
      path: `/${template.map((segment) => segment ?? filler).join("/")}`
    }))
  )

/** A text that no list has: literals of one have no exclamation mark. */
const filler = "!"

const closure = (templates: ReadonlyArray<Template>): ReadonlyArray<Template> => {
  const known = new Map(templates.map((template) => [key(template), template]))
  for (const template of templates) {
    for (const other of known.values()) {
      const both = meet(template, other)
      if (both !== undefined && !known.has(key(both))) known.set(key(both), both)
    }
  }
  return [...known.values()]
}

/** Segments of a listed path; `null` stands for a parameter. */
export type Template = ReadonlyArray<string | null>

/** Reads a path such as `/v2/teams/{teamId}`; for a malformed one it answers the fault as a text. */
export const parseTemplate = (path: string): Template | string => {
  if (!path.startsWith("/")) return `the path "${path}" must start with a slash`
  const template: Array<string | null> = []
  const names = new Set<string>()
  for (const segment of path.slice(1).split("/")) {
    const name = parameter.exec(segment)?.[1]
    if (name === undefined && !literal.test(segment)) {
      return `the path "${path}" has a segment "${segment}" that is neither lower case [a-z0-9._~-] nor a {parameter}`
    }
    if (name !== undefined && names.has(name)) return `the path "${path}" has two parameters "${name}"`
    if (name !== undefined) names.add(name)
    template.push(name === undefined ? segment : null)
  }
  return template
}

/** Two templates with the same key match the same paths. */
export const key = (template: Template): string => template.map((segment) => segment ?? "{}").join("/")

/** Template of the paths that both templates match, their meeting; `undefined` when there are none. */
export const meet = (one: Template, other: Template): Template | undefined => {
  if (one.length !== other.length) return undefined
  for (let index = 0; index < one.length; index++) {
    const segment = one[index]
    const opposite = other[index]
    if (segment !== opposite && segment !== null && opposite !== null) return undefined
  }
  return one.map((segment, index) => segment ?? other[index] ?? null)
}

/** Tests if `one` matches every path that `other` matches. */
export const includes = (one: Template, other: Template): boolean =>
  one.length === other.length && one.every((segment, index) => segment === null || segment === other[index])

const parameter = /^\{(\w+)\}$/

// Lower case only, so that a path that differs by nothing but case can be told from one that names something else.
const literal = /^(?!\.{1,2}$)[a-z0-9._~-]+$/

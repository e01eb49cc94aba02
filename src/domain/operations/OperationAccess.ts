interface Access {
  readonly access: string
  readonly scope?: string
  readonly anyOf?: ReadonlyArray<string>
  readonly allOf?: ReadonlyArray<string>
  readonly neverForApps?: string
}

/** Keys of an operation that name scopes. */
export const needs = ["scope", "anyOf", "allOf"] as const

/** What is wrong with the scopes that an operation names, by its `access`. */
export const fault = (operation: Access): string | undefined => {
  const { access, neverForApps } = operation
  const named = needs.filter((key) => operation[key] !== undefined)
  if (neverForApps !== undefined && access !== "closed") return `"${access}" takes no "neverForApps"`
  if (access === "public" || access === "closed") {
    return named.length === 0 ? undefined : `"${access}" takes no "${named[0]}"`
  }
  if (named.length === 0) return `"${access}" needs one of "scope", "anyOf" and "allOf"`
  return named.length === 1 ? undefined : `"${access}" takes one of "scope", "anyOf" and "allOf", and no more`
}

/** Same rules for editors, as JSON Schema. */
export const jsonSchema = {
  allOf: [
    {
      anyOf: [
        {
          properties: { access: { enum: ["scope", "scope-if-token"] } },
          oneOf: needs.map((key) => ({ required: [key] }))
        },
        {
          properties: { access: { enum: ["public", "closed"] } },
          not: { anyOf: needs.map((key) => ({ required: [key] })) }
        }
      ]
    },
    { anyOf: [{ not: { required: ["neverForApps"] } }, { properties: { access: { const: "closed" } } }] }
  ]
}

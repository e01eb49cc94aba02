import { Predicate } from "effect"
import type { Members } from "./OpenApiDocument.ts"

/**
 * An object with what its `$ref` names, and its own members before those; a text says why that cannot be followed.
 * References to other files are not, because a catalogue comes from one document that its CI can read.
 */
export const follow = (root: Members, value: unknown): Members | string => {
  const seen = new Set<string>()
  let at = value
  while (Predicate.isReadonlyObject(at) && at["$ref"] !== undefined) {
    const { $ref: reference, ...own } = at
    if (typeof reference !== "string") return "its $ref is no text"
    if (!reference.startsWith("#")) return `its $ref leads to another file, ${reference}: bundle the document first`
    if (seen.has(reference)) return `its $ref goes round in a circle, ${[...seen, reference].join(" -> ")}`
    seen.add(reference)
    const target = targetOf(root, reference)
    if (!Predicate.isReadonlyObject(target)) return `its $ref leads to no object, ${reference}`
    at = { ...target, ...own }
  }
  return Predicate.isReadonlyObject(at) ? at : "it is no object"
}

/** Value at a JSON pointer in a URI fragment (RFC 6901 §6). */
const targetOf = (root: Members, reference: string): unknown => {
  let at: unknown = root
  for (const token of reference.slice(1).split("/").slice(1)) {
    const name = decoded(token).replaceAll("~1", "/").replaceAll("~0", "~")
    if (!Predicate.isReadonlyObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

const decoded = (token: string): string => {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}

import { Struct } from "effect"
import { hash } from "node:crypto"
import type { CatalogueFile } from "./CatalogueFile.ts"

/**
 * Digest of what a catalogue means (SHA-256, base64url). The order of levels and of scopes counts, because it is the
 * order of pages and answers, and so does the order of `anyOf`, of which a refusal names one. These do not: white
 * space, comments, `$schema`, the order of keys, of operations and of other lists of scopes, whether an entry says
 * `false` or nothing, and whether a text in English alone says so. Nor does what only judges scopes for people: nodes
 * that differ in that give every call one answer (docs/decisions/catalogue.md). A file never changes, so its digest is
 * kept.
 */
export const hashOf = (file: CatalogueFile): string => {
  const known = hashes.get(file)
  if (known !== undefined) return known
  const made = digest(file)
  hashes.set(file, made)
  return made
}

const hashes = new WeakMap<CatalogueFile, string>()

const digest = ({ levels, scopes, ...rest }: CatalogueFile): string => {
  const meaning = [
    levels.map((level) => canonical(Struct.omit(level, ["reach"]))),
    scopes.map((scope) => canonical(Struct.omit(scope, ["area", "admits", "forwards", "sensitive"]))),
    canonical(Struct.omit(rest, ["$schema", "areas"]))
  ]
  return hash("sha256", JSON.stringify(meaning), "base64url")
}

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(canonical(item))).sort()
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).filter(([, field]) =>
    field !== false && !(Array.isArray(field) && field.length === 0)
  )
  const [[name, text] = [], ...others] = fields
  if (name === "en" && others.length === 0) return text
  return fields.sort(([one], [other]) => one < other ? -1 : 1)
    .map(([name, field]) => [name, name === "anyOf" ? field : canonical(field)])
}

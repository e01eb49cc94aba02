import type { Finding, Place } from "../../files/FileProblem.ts"
import type { Words } from "../../files/Words.ts"
import type { CatalogueFile } from "./CatalogueFile.ts"
import type { Closure } from "./Implications.ts"

/** What a catalogue says that can be used, and that is probably not meant. */
export const warnings = (file: CatalogueFile, closure: Closure): ReadonlyArray<Finding> => [
  ...needless(file, closure),
  ...emptyAreas(file),
  ...openTexts(file),
  ...longList(file)
]

/** Tests if a text is still to be written, as a catalogue that was imported says it. */
export const isOpen = (text: string): boolean => /\bTODO\b/.test(text)

/** Scopes that open nothing, neither by themselves nor by what they cover. */
const needless = ({ operations, profile, scopes }: CatalogueFile, closure: Closure): ReadonlyArray<Finding> => {
  const needed = new Set([
    profile.scope,
    ...operations.flatMap((
      { allOf = [], anyOf = [], scope }
    ) => [...allOf, ...anyOf, ...(scope === undefined ? [] : [scope])])
  ])
  return scopes.flatMap(({ name, retired }, at) =>
    retired !== undefined || [name, ...closure.get(name) ?? []].some((covered) => needed.has(covered))
      ? []
      : [{ place: ["scopes", at], problem: `no operation needs "${name}"` }]
  )
}

const emptyAreas = ({ areas = [], scopes }: CatalogueFile): ReadonlyArray<Finding> => {
  const named = new Set(scopes.map(({ area }) => area))
  return areas.flatMap(({ id }, at) =>
    named.has(id) ? [] : [{ place: ["areas", at], problem: `no scope is of the area "${id}"` }]
  )
}

const openTexts = ({ api, areas = [], levels, operations, scopes }: CatalogueFile): ReadonlyArray<Finding> => {
  const open = (place: Place, texts: Readonly<Record<string, Words | undefined>>): ReadonlyArray<Finding> =>
    Object.entries(texts).flatMap(([key, words]) =>
      words !== undefined && isOpen(typeof words === "string" ? words : Object.values(words).join(" "))
        ? [{ place: [...place, key], problem: "says TODO: write what people are to read" }]
        : []
    )
  return [
    ...open(["api"], api),
    ...levels.flatMap(({ reach, title }, at) => open(["levels", at], { title, reach })),
    ...areas.flatMap(({ title }, at) => open(["areas", at], { title })),
    ...scopes.flatMap(({ covers, title }, at) => open(["scopes", at], { title, covers })),
    ...operations.flatMap(({ neverForApps }, at) => open(["operations", at], { neverForApps }))
  ]
}

/** Metadata have all names (RFC 8414 §2, `scopes_supported`), and so have pages and some headers of gateways. */
const longList = ({ scopes }: CatalogueFile): ReadonlyArray<Finding> => {
  const { length } = JSON.stringify(scopes.filter(({ retired }) => retired === undefined).map(({ name }) => name))
  return length <= longest
    ? []
    : [{ place: ["scopes"], problem: `all names together take ${length} bytes of the metadata, more than ${longest}` }]
}

const longest = 4_096

import type { CatalogueFile, ScopeEntry } from "./CatalogueFile.ts"

/** Text of a catalogue as people read and compare it: a scope in a few lines, a level and an operation in one each. */
export const write = (
  { $schema, api, areas, format, levels, operations, profile, samples, scopes }: CatalogueFile
): string =>
  `{
${$schema === undefined ? "" : `  "$schema": ${JSON.stringify($schema)},\n`}  "format": ${format},
  "api": ${block(Object.entries(api).map(field), "  ")},
  "levels": ${list(levels.map(inLine))},
${areas === undefined ? "" : `  "areas": ${list(areas.map(inLine))},\n`}  "scopes": ${list(scopes.map(scopeBlock))},
  "profile": ${inLine(profile)},
  "samples": ${inLine(samples)},
  "operations": ${list(operations.map(inLine))}
}
`

/** What a scope is on one line, and below it what people read, and what became of it. */
export const scopeBlock = ({ covers, retired, title, ...rest }: ScopeEntry): string =>
  block([
    Object.entries(rest).map(field).join(", "),
    field(["title", title]),
    field(["covers", covers]),
    ...(retired === undefined ? [] : [field(["retired", retired])])
  ], "    ")

const list = (items: ReadonlyArray<string>): string =>
  items.length === 0 ? "[]" : `[\n    ${items.join(",\n    ")}\n  ]`

const block = (lines: ReadonlyArray<string>, indent: string): string =>
  `{\n${indent}  ${lines.join(`,\n${indent}  `)}\n${indent}}`

const field = ([name, value]: readonly [string, unknown]): string => `${JSON.stringify(name)}: ${inLine(value)}`

/** A value on one line. */
export const inLine = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  return `{${Object.entries(value).map(field).join(", ")}}`
}

import { Option, Schema } from "effect"
import { type Fields, isFields } from "../JsonRecords.ts"
import type { Condition, Path, Paths } from "./ServerExport.ts"

/** Text at the first of these paths that has one. */
export const textAt = (row: Fields, paths: Paths): string | undefined => textsAt(row, paths)[0]

/** Texts at all of these paths that have one. */
export const textsAt = (row: Fields, paths: Paths): ReadonlyArray<string> =>
  paths.flatMap((path) => textOf(valueAt(row, path)) ?? [])

/**
 * Entries of the list at the first of these paths that has one: of JSON, of PostgreSQL, or of a text with separators.
 */
export const listAt = (row: Fields, paths: Paths, separator?: RegExp): ReadonlyArray<string> => {
  for (const path of paths) {
    const entries = entriesOf(valueAt(row, path), separator)
    if (entries.length > 0) return entries
  }
  return []
}

export const meets = (row: Fields, condition: Condition): boolean => {
  const value = valueAt(row, condition.at)
  if ("isThere" in condition) return isThere(value) === condition.isThere
  const words = entriesOf(value, /[\s,|]+/).map(word)
  if ("ends" in condition) return words.some((text) => text.endsWith(condition.ends))
  return "is" in condition
    ? words.some((text) => condition.is.includes(text))
    : words.length > 0 && !words.some((text) => condition.isNot.includes(text))
}

/** Tells whether a row has something at one of these paths. */
export const has = (row: Fields, paths: Paths): boolean => paths.some((path) => isThere(valueAt(row, path)))

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

const valueAt = (row: Fields, path: Path): unknown => path.split("/").reduce<unknown>(step, row)

/** One member further. A column of a table may hold a list or an object as JSON. */
const step = (value: unknown, name: string): unknown => {
  const within = typeof value === "string" ? parsed(value) : value
  return Array.isArray(within) ? within[Number(name)] : isFields(within) ? within[name] : undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value).trim() || undefined
    : undefined

const entriesOf = (value: unknown, separator: RegExp | undefined): ReadonlyArray<string> => {
  const list = typeof value === "string" ? parsed(value) : value
  if (Array.isArray(list)) return list.flatMap((entry: unknown) => textOf(entry) ?? [])
  const text = textOf(value)
  if (text === undefined) return []
  const inBraces = /^\{(.*)\}$/s.exec(text)?.[1]
  if (inBraces !== undefined) return inBraces.split(",").map((entry) => entry.replaceAll("\"", "")).filter(Boolean)
  return separator === undefined ? [text] : text.split(separator).filter(Boolean)
}

const parsed = (text: string): unknown => /^\s*[[{]/.test(text) ? Option.getOrUndefined(decode(text)) : undefined

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** A value as conditions name it: databases write truth in several ways. */
const word = (text: string): string =>
  ["t", "1", "true"].includes(text.toLowerCase())
    ? "true"
    : ["f", "0", "false"].includes(text.toLowerCase())
    ? "false"
    : text.toLowerCase()

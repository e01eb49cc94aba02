import type { LevelEntry, ScopeEntry } from "../../../domain/catalogue/file/CatalogueFile.ts"
import type { Operation } from "./Operations.ts"

// What an OpenAPI document does not tell of a scope, guessed from its name and from the operations that need it. People
// look at each guess, so a wrong one should ask for more than is needed.

/** A level that scopes can have, with the path parameter that names its object, if it has one. */
export type Level = Pick<LevelEntry, "id" | "parameter">

/** Names tell this best; a search by POST reads. */
export const guessAccess = (
  scope: string,
  operations: ReadonlyArray<Operation>
): ScopeEntry["access"] => {
  const words = wordsOf(scope)
  if (words.some((word) => writing.has(word))) return "write"
  if (words.some((word) => reading.has(word))) return "read"
  return operations.length > 0 && operations.every(({ method }) => method === "GET") ? "read" : "write"
}

/**
 * Level that all operations of the scope have, or the one that its name begins with, or the first one. An operation has
 * the level of the last object in its path.
 */
export const guessLevel = (
  scope: string,
  operations: ReadonlyArray<Operation>,
  levels: ReadonlyArray<Level>
): string => {
  const found = new Set(operations.map(({ path }) => levelOf(path, levels)))
  const [level, ...others] = found
  if (others.length === 0 && level !== undefined) return level
  const [word] = wordsOf(scope)
  return (levels.find(({ id }) => id.toLowerCase() === word) ?? levels[0])?.id ?? "user"
}

const levelOf = (path: string, levels: ReadonlyArray<Level>): string | undefined => {
  const objects = path.split("/")
  const [last] = levels
    .map(({ id, parameter = "" }) => ({ id, at: objects.lastIndexOf(`{${parameter}}`) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => other.at - one.at)
  return last?.id
}

/** Words of a name such as `contacts.readonly`, `write:contacts` or `Calendars.ReadWrite`. */
const wordsOf = (scope: string): ReadonlyArray<string> =>
  scope.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/)

const writing: ReadonlySet<string> = new Set([
  "admin",
  "create",
  "delete",
  "edit",
  "full",
  "manage",
  "modify",
  "readwrite",
  "remove",
  "rw",
  "send",
  "update",
  "write"
])

const reading: ReadonlySet<string> = new Set(["get", "read", "readonly", "ro", "view"])

import { Schema } from "effect"
import { ScopeEntry } from "../../../domain/catalogue/file/CatalogueFile.ts"
import { inQuotes } from "../../../domain/Text.ts"
import type { Operation } from "./Operations.ts"
import { guessAccess, guessLevel, type Level } from "./ScopeGuesses.ts"

/** Entry of a catalogue, with what a person has to look at. */
export interface Drafted<A> {
  readonly entry: A
  readonly todo: ReadonlyArray<string>
}

/** Names of scopes in the order in which they come, without those that a catalogue cannot have. */
export const scopeNames = () => {
  const names = new Map<string, string>()
  /** Tells what is wrong with a name, and keeps it if nothing is. */
  const admit = (scope: string): string | undefined => {
    if (!isScopeName(scope)) return `${inQuotes(scope)} cannot be the name of a scope in a catalogue`
    const known = names.get(scope.toLowerCase())
    if (known === undefined) names.set(scope.toLowerCase(), scope)
    return known === undefined || known === scope ? undefined : `${scope} differs from ${known} by case alone`
  }
  return { admit, admitted: () => [...names.values()] }
}

/** Drafts scopes from their descriptions and the operations that need them. */
export const draftScopes = (
  names: ReadonlyArray<string>,
  descriptions: ReadonlyMap<string, string>,
  uses: ReadonlyMap<string, ReadonlyArray<Operation>>,
  levels: ReadonlyArray<Level>
): ReadonlyArray<Drafted<ScopeEntry>> => {
  const titles = new Set<string>()
  return names.map((name) => {
    const operations = uses.get(name) ?? []
    const level = guessLevel(name, operations, levels)
    const access = guessAccess(name, operations)
    const description = descriptions.get(name) ?? ""
    const title = titleOf(description) ?? "TODO"
    const isTaken = titles.has(title)
    titles.add(title)
    return {
      entry: { name, level, access, title, covers: "TODO" },
      todo: [
        `level ${level} and access ${access} are guesses`,
        ...title !== "TODO"
          ? isTaken ? ["another scope has the same title"] : []
          : description.trim() === ""
          ? []
          : [`the document describes it so: ${description}`]
      ]
    }
  })
}

/** A text as the title of something, if it fits. */
export const titleOf = (text: unknown): string | undefined => {
  const title = typeof text === "string" ? text.trim() : ""
  return isTitle(title) ? title : undefined
}

const isScopeName = Schema.is(ScopeEntry.fields.name)

const isTitle = Schema.is(ScopeEntry.fields.title)

import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser"
import { inLine, scopeBlock } from "../../../domain/catalogue/file/WriteCatalogue.ts"
import type { CatalogueDraft } from "./CatalogueDraft.ts"
import type { Drafted } from "./DraftedScopes.ts"

// Edits of the text of a catalogue in which people write: what they do not concern stays as it is, to the character.

interface Edit {
  readonly start: number
  readonly end: number
  readonly content: string
}

/** Text of a catalogue that is there, with these entries, each marked as new. */
export const withAdditions = (text: string, { operations, scopes }: Pick<CatalogueDraft, "operations" | "scopes">) => {
  const root = parseTree(text)
  if (root === undefined) return text
  return edited(text, additions(text, root, { operations: operations.map(asNew), scopes: scopes.map(asNew) }))
}

const asNew = <A extends Pick<Drafted<unknown>, "todo">>(drafted: A): A => ({
  ...drafted,
  todo: ["new in the document", ...drafted.todo]
})

/** Text with these edits, none of which overlap. */
export const edited = (text: string, edits: ReadonlyArray<Edit>): string =>
  edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { content, end, start }) => text.slice(0, start) + content + text.slice(end), text)

/** Adds entries to the ends of their lists, each below what a person has to look at. */
export const additions = (
  text: string,
  root: Node,
  { operations, scopes }: Pick<CatalogueDraft, "operations" | "scopes">
): ReadonlyArray<Edit> => [
  ...append(text, findNodeAtLocation(root, ["scopes"]), entries(scopes, scopeBlock)),
  ...append(text, findNodeAtLocation(root, ["operations"]), entries(operations, inLine))
]

/** Puts a comment above a member of the catalogue. */
export const commentAbove = (root: Node, member: string, note: string): ReadonlyArray<Edit> => {
  const start = findNodeAtLocation(root, [member])?.parent?.offset
  return start === undefined ? [] : [{ start, end: start, content: `${comment(note)}\n  ` }]
}

const entries = <A>(drafted: ReadonlyArray<Drafted<A>>, written: (entry: A) => string): ReadonlyArray<string> =>
  drafted.map(({ entry, todo }) => [...todo.map(comment), written(entry)].join("\n    "))

const comment = (note: string): string => `// TODO ${note.replaceAll(/\s+/g, " ").trim()}`

/** Adds entries behind the last one of a list and the comments that follow it. */
const append = (text: string, list: Node | undefined, entries: ReadonlyArray<string>): ReadonlyArray<Edit> => {
  if (list === undefined || entries.length === 0) return []
  const last = list.children?.at(-1)
  const start = last === undefined ? list.offset + 1 : last.offset + last.length
  const end = list.offset + list.length - 1
  const behind = text.slice(start, end)
  const comments = behind.trimEnd()
  const space = behind.slice(comments.length)
  const content = [
    last === undefined ? "" : ",",
    comments,
    entries.map((entry) => `\n    ${entry}`).join(","),
    space.includes("\n") ? space : "\n  "
  ].join("")
  return [{ start, end, content: text.includes("\r\n") ? content.replaceAll(/\r?\n/g, "\r\n") : content }]
}

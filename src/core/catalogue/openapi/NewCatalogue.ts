import { parseTree } from "jsonc-parser"
import { write } from "../../../domain/catalogue/file/WriteCatalogue.ts"
import type { CatalogueDraft } from "./CatalogueDraft.ts"
import { additions, commentAbove, edited } from "./CatalogueEdits.ts"
import { todoOfFrame, user } from "./Todo.ts"

/** Text of a new catalogue: a comment with TODO, or a text that is TODO, marks all that a person has to look at. */
export const newCatalogue = (draft: CatalogueDraft): string => {
  const { levels, name = "TODO" } = draft
  const profile = profileScope(draft)
  const text = write({
    $schema: "./node_modules/slotkey/catalogue.schema.json",
    format: 1,
    api: { name, account: "TODO", everything: "TODO" },
    levels: levels.map(({ id, ...rest }) => ({ id, title: id === user.id ? user.title : "TODO", ...rest })),
    scopes: [],
    profile: { scope: profile },
    samples: { demo: [profile], tests: [profile] },
    operations: []
  })
  const root = parseTree(text)
  if (root === undefined) return text
  const comments = todoOfFrame(draft).flatMap(({ place, todo }) => commentAbove(root, place, todo))
  return edited(text, [...comments, ...additions(text, root, draft)])
}

/** Scope of the operation that looks like the one by which an app learns who its user is. */
const profileScope = ({ operations, scopes }: CatalogueDraft): string => {
  const found = operations.find(({ entry: { method, path, scope } }) =>
    method === "GET" && scope !== undefined && /\/(?:account|me|profile|userinfo|whoami)$/i.test(path)
  )
  return found?.entry.scope ?? scopes.find(({ entry: { access } }) => access === "read")?.entry.name ??
    scopes[0]?.entry.name ?? "TODO"
}

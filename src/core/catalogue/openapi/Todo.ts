import type { CatalogueDraft } from "./CatalogueDraft.ts"

/** What a person has to look at, by what it is about. */
export interface Todo {
  readonly place: string
  readonly todo: string
}

/** What no document tells of an API, by the member of the catalogue that has it. */
export const todoOfFrame = ({ levels, scopes }: CatalogueDraft): ReadonlyArray<Todo> => [
  {
    place: "api",
    todo: "what people and agents read of the API: its name, the user's account there, all that an app can reach"
  },
  ...levels.every(({ id }) => id === user.id)
    ? []
    : [{
      place: "levels",
      todo:
        "a title for each, as a heading on the consent page; say which reach other people (everyone), and of which " +
        "an app may get none without a review (reviewAlways)"
    }],
  ...(scopes.length === 0
    ? [{ place: "scopes", todo: "the document has none: add them, and say what each operation needs" }]
    : todoOfTexts(scopes)),
  { place: "profile", todo: "a guess: the scope that an app needs to learn who its user is" },
  { place: "samples", todo: "guesses: the scopes of the demo app, and those of an app in tests" }
]

const todoOfTexts = (scopes: CatalogueDraft["scopes"]): ReadonlyArray<Todo> =>
  scopes.length === 0
    ? []
    : [{
      place: "scopes",
      todo:
        "a title for the consent page, and what each covers in one sentence; say what each allows as well (implies), " +
        "such as one that writes to read, and what removes for good (removes)"
    }]

/** Level of scopes where nobody names others. */
export const user = { id: "user", title: "You" }

/** All about a new catalogue. */
export const todoOfNew = (draft: CatalogueDraft): ReadonlyArray<Todo> => [
  ...todoOfFrame(draft),
  ...todoOfEntries(draft)
]

/** All about what an update adds. */
export const todoOfUpdate = (added: Entries): ReadonlyArray<Todo> => [
  ...todoOfTexts(added.scopes),
  ...todoOfEntries(added)
]

type Entries = Pick<CatalogueDraft, "operations" | "scopes">

const todoOfEntries = ({ operations, scopes }: Entries): ReadonlyArray<Todo> => [
  ...scopes.flatMap(({ entry: { name }, todo }) => todo.map((todo) => ({ place: `scope ${name}`, todo }))),
  ...operations.flatMap(({ place, todo }) => todo.map((todo) => ({ place, todo })))
]

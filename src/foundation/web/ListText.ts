import { forReader, type Html, type Phrase } from "./Html.ts"

/** Things that stand together, as their reader lists them: "a, b and c". */
export const listText = (items: ReadonlyArray<Phrase>): Html => listed(items, "conjunction")

/** Things of which one is enough: "a, b or c". */
export const choiceText = (items: ReadonlyArray<Phrase>): Html => listed(items, "disjunction")

const listed = (items: ReadonlyArray<Phrase>, type: "conjunction" | "disjunction"): Html =>
  forReader(({ language }) =>
    language.list(items.length, type).map((part) => typeof part === "number" ? items[part] ?? "" : part)
  )

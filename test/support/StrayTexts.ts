import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import { inEnglish } from "../../src/domain/files/Words.ts"
import { recipes } from "../../src/doors/portal/Recipes.ts"
import { pseudo, pseudoLanguage } from "./PseudoLanguage.ts"
import { visibleTexts } from "./VisibleTexts.ts"

/** Pseudo-languages from left to right, and from right to left. */
export const accented = pseudoLanguage("en-XA")
export const mirrored = pseudoLanguage("ar-XB")

/** Built-in catalogue with its texts in the pseudo-language, as a platform has them in its languages. */
export const accentedCatalogue: object = JSON.parse(
  JSON.stringify(builtInFile()),
  (key, value) =>
    typeof value === "string" && ["title", "reach", "covers", "account", "everything"].includes(key)
      ? { en: value, [accented.tag]: pseudo(value) }
      : value
)

/** Texts of a page in the pseudo-language with words that are in no message. */
export const strayTexts = (page: string): ReadonlyArray<string> =>
  visibleTexts(page).filter((text) =>
    /[A-Za-z]{2,}/.test([...titles].reduce((rest, title) => rest.replace(title, ""), text).replaceAll(isForeign, ""))
  )

/** Names of programs and libraries, of the app of samples, and of the API. */
const titles: ReadonlySet<string> = new Set([
  ...recipes.map(({ title }) => title),
  "Wall Display",
  inEnglish(builtInFile().api.name)
])

/**
 * What is no text of ours: addresses of mails and sites, scopes, parameters, zones, names of languages in themselves,
 * of users that nobody named, and of the server.
 */
const isForeign =
  /\S+@\S+|…[\w-]{4}|\blegacy-[\da-f-]+|\b[\w.]+:\/\S+|\bGET \/\S+|\b[\w-]+(?:\.[\w-]+)+\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b\w+_\w+\b|\bUTC\b|\bEurope\/Berlin\b|\bEnglish\b|\(Pseudo-\w+\)|\b[Uu]ser[ -]\d+\b|\bSlotkey\b/g

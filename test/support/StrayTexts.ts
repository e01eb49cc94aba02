import { recipes } from "../../src/doors/portal/Recipes.ts"
import { visibleTexts } from "./VisibleTexts.ts"

/** Texts of a page in the pseudo-language with words that are in no message. */
export const strayTexts = (page: string): ReadonlyArray<string> =>
  visibleTexts(page).filter((text) =>
    /[A-Za-z]{2,}/.test([...titles].reduce((rest, title) => rest.replace(title, ""), text).replaceAll(isForeign, ""))
  )

/** Names of programs and libraries. */
const titles: ReadonlySet<string> = new Set(recipes.map(({ title }) => title))

/**
 * What is no text of ours: addresses of mails and sites, scopes, parameters, zones, names of languages in themselves,
 * of users that nobody named, and of the server.
 */
const isForeign =
  /\S+@\S+|…[\w-]{4}|\blegacy-[\da-f-]+|\b[\w.]+:\/\S+|\bGET \/\S+|\b[\w-]+(?:\.[\w-]+)+\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b\w+_\w+\b|\bUTC\b|\bEurope\/Berlin\b|\bEnglish\b|\(Pseudo-\w+\)|\bUser \d+\b|\bSlotkey\b/g

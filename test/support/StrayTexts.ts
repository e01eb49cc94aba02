import { builtInFile } from "../../src/domain/catalogue/BuiltIn.ts"
import { pseudo, pseudoLanguage } from "./PseudoLanguage.ts"
import { visibleTexts } from "./VisibleTexts.ts"

/** Pseudo-languages from left to right, and from right to left. */
export const accented = pseudoLanguage("en-XA")
export const mirrored = pseudoLanguage("ar-XB")

/** Built-in catalogue with its texts in the pseudo-language, as a platform has them in its languages. */
export const accentedCatalogue: object = JSON.parse(
  JSON.stringify(builtInFile()),
  (key, value) =>
    typeof value === "string" && ["title", "covers", "account", "everything"].includes(key)
      ? { en: value, [accented.tag]: pseudo(value) }
      : value
)

/** What is no text of ours: addresses of sites and mails, scopes, parameters, zones, and the name of the server. */
const isForeign =
  /https?:\/\/\S+|\S+@\S+|\b[\w-]+(?:\.[\w-]+)+\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b\w+_\w+\b|\bUTC\b|\bSlotkey\b/g

/** Texts of a page with words that are in no message. */
export const strayTexts = (page: string): ReadonlyArray<string> =>
  visibleTexts(page.replaceAll("<wbr>", "")).filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll(isForeign, "")))

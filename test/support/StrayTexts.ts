import { visibleTexts } from "./VisibleTexts.ts"

/** Texts of a page in the pseudo-language with words that are in no message. */
export const strayTexts = (page: string): ReadonlyArray<string> =>
  visibleTexts(page.replaceAll("<wbr>", "")).filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll(isForeign, "")))

/**
 * What is no text of ours: addresses of mails and sites, scopes, parameters, zones, names of languages in themselves,
 * of users that nobody named, and of the server.
 */
const isForeign =
  /\S+@\S+|\b[\w-]+(?:\.[\w-]+)+\b|\b[A-Z]+(?:_[A-Z]+)+\b|\b\w+_\w+\b|\bUTC\b|\bEurope\/Berlin\b|\bEnglish\b|\(Pseudo-\w+\)|\bUser \d+\b|\bSlotkey\b/g

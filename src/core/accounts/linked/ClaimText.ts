/**
 * Forms that a text from another server may take as a name, on one line, the text itself first. Directories hold what
 * no form lets anybody enter: marks that were pasted with a name, tabs, titles without end. Such a name is worth more
 * than none.
 */
export const lineForms = (text: string, longest: number): ReadonlyArray<string> =>
  formsOf(text.replaceAll(/(?:(?!\ufeff)\s)+/gu, " ").replaceAll(/\p{Cc}/gu, ""), text, longest)

/** Same for a text of several lines. */
export const textForms = (text: string, longest: number): ReadonlyArray<string> =>
  formsOf(text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, ""), text, longest)

const formsOf = (clean: string, text: string, longest: number): ReadonlyArray<string> => {
  // What is drawn as nothing goes, but for what some scripts and emoji are spelled with; where those stand alone, they
  // go, too.
  const spelled = clean.replaceAll(
    /\p{Cs}|(?![\u200c\u200d\p{Variation_Selector}\u{e0020}-\u{e007f}])[\p{DI}\u2800]/gu,
    ""
  )
  const seen = spelled.replaceAll(/\p{DI}/gu, "")
  return [text, cut(spelled, longest), cut(seen, longest)]
}

/** Beginning of a text, in whole characters as people see them. */
const cut = (text: string, longest: number): string => {
  let end = 0
  for (const { index, segment } of characters.segment(text.trim())) {
    if (index + segment.length > longest) break
    end = index + segment.length
  }
  return text.trim().slice(0, end).trimEnd()
}

const characters = new Intl.Segmenter("en", { granularity: "grapheme" })

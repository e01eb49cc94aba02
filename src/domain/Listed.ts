/** Alternatives as a sentence names them: `a, b or c`. */
export const oneOf = (names: ReadonlyArray<string>): string => alternatives.format(names)

/** All of them as a sentence names them: `a, b and c`. */
export const allOf = (names: ReadonlyArray<string>): string => conjunction.format(names)

const conjunction = new Intl.ListFormat("en-GB", { type: "conjunction" })

const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" })

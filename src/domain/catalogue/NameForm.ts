/**
 * Form that most names of a catalogue have: their alphabet, and an ending that two of them share, such as `_READ` or
 * `.write`. A word of this form that is no name is probably a name mistyped.
 */
export const formOf = (names: ReadonlyArray<string>): RegExp => {
  const endings = Map.groupBy(names.flatMap((name) => ending.exec(name)?.[0] ?? []), (text) => text)
  const shared = [...endings].flatMap(([text, all]) => all.length > 1 ? [literal(text)] : [])
  if (shared.length === 0) return nothing
  const letters = [/[A-Z]/, /[a-z]/].flatMap((kind) =>
    names.some((name) => kind.test(name)) ? [kind.source.slice(1, -1)] : []
  )
  const marks = new Set(names.join("").replaceAll(/[A-Za-z0-9]/g, ""))
  return new RegExp(`^[0-9${letters.join("")}${[...marks].map(literal).join("")}]+(?:${shared.join("|")})$`)
}

const ending = /[^A-Za-z0-9][A-Za-z0-9]+$/
const nothing = /(?!)/
const literal = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, "\\$&")

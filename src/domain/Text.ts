import { Schema } from "effect"
import { type Broken, broken, ruled } from "./Rule.ts"

// A NUL cannot be stored and a lone surrogate cannot be encoded; other control characters only serve to deceive a
// reader.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
const breaking = /[\t\n\r\u2028\u2029]/
// Characters that are drawn as nothing (Default_Ignorable_Code_Point), and the Braille pattern without dots.
const invisible = /[\p{DI}\u2800]/u
// Places where such a character belongs to the spelling: a joiner beside a virama or between two letters of a joining
// script, a break between words of a script that has no spaces, the parts of a flag or another emoji, and a variation
// selector after its letter.
const spelling = [
  /(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]/gu,
  /(?<=\p{L})\u200d(?=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u0dca])/gu,
  /(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}])[\u200c\u200d](?=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}])/gu,
  /(?<=[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])\u200b(?=[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])/gu,
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu,
  /(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu,
  /(?<=\p{Emoji})[\ufe0e\ufe0f]/gu,
  /(?<=\p{scx=Mong})[\u180b-\u180f]/gu,
  /(?<=\p{scx=Hani})[\u{e0100}-\u{e01ef}]/gu
]

/** A fault that names the first such character and its place, because nobody sees where it is. */
const faultAt = (text: string, characters: RegExp, kind: "control" | "invisible"): Broken | undefined => {
  const found = characters.exec(text)
  if (found === null) return undefined
  const before = text.slice(0, found.index).match(/\S{1,20}\s*$/)?.[0].trim()
  const character = codePointOf(found[0])
  return before === undefined ? broken(kind, { character }) : broken(`${kind}After`, { character, before })
}

/** A character by its code point, as Unicode writes it. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** Tests that every character can be stored, sent and shown: well-formed Unicode without control or direction marks. */
export const isPrintable = (text: string): boolean => text.isWellFormed() && !unprintable.test(text)

/** A name that somebody else chose, marked so that it cannot pass for our own words. */
export const inQuotes = (name: string): string => `\u201c${name}\u201d`

/** Text that a person wrote, between `min` and `max` UTF-16 code units after trimming. */
export const Text = (min: number, max: number) =>
  Schema.Trim.check(
    ruled((text) => text.isWellFormed() ? undefined : broken("unicode")),
    ruled((text) => faultAt(text, unprintable, "control")),
    ruled((text) =>
      text.length >= min && text.length <= max
        ? undefined
        : min > 0
        ? broken("length", { least: min, most: max })
        : broken("tooLong", { most: max })
    )
  )

/**
 * A name: such a text on one line, because in mails and lists the text after a line break would pass for somebody
 * else's words, and without invisible characters, because two names would look the same with them.
 */
export const Line = (min: number, max: number) =>
  Text(min, max).check(
    ruled((text) => breaking.test(text) ? broken("lines") : undefined),
    ruled((text) => faultAt(spelling.reduce((rest, part) => rest.replace(part, ""), text), invisible, "invisible"))
  )

/** An absolute address of one of these schemes, without credentials, at most 2,048 characters. */
const address = (schemes: ReadonlyArray<string>, expected: Broken) =>
  Schema.Trim.check(ruled((text) => {
    if (text.length > 2048 || !isPrintable(text) || !URL.canParse(text)) return expected
    const url = new URL(text)
    if (!schemes.includes(url.protocol)) return expected
    if (url.username !== "" || url.password !== "") return broken("credentials")
    // The parser accepts more than a host name may contain, such as the ";" that separates directives of a security
    // policy.
    return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url.hostname) ? undefined : broken("host")
  }))

export const WebAddress = address(["https:", "http:"], broken("webAddress"))

/** An address whose content nobody on the way can change. */
export const SecureAddress = address(["https:"], broken("secureAddress"))

import { fold, latin } from "../../src/domain/Skeleton.ts"

/** The characters of confusables.txt with their prototypes (UTS #39 §4). */
export const parse = (text: string) => ({
  version: /^# Version: (\S+)$/m.exec(text)?.[1] ?? "of unknown version",
  rows: [...text.matchAll(/^\ufeff?([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gm)].map(([, character = "", prototype = ""]) =>
    [characters(character), characters(prototype)] as const
  )
})

const characters = (hex: string): string =>
  String.fromCodePoint(...hex.trim().split(" ").map((point) => Number.parseInt(point, 16)))

/**
 * The part of Unicode's table that `Skeleton` needs, in its letters. Left out is what it does without a table (width, style,
 * case, marks), and letters that look like punctuation, which it does not read: a name would lose them.
 *
 * A character stands for the Latin letters that it looks like; failing that, for those that its upper or lower case looks
 * like, because users read names in any case: the Cyrillic "к" is no "k" to Unicode, but "К" is a "K".
 */
export const lookAlikes = (rows: ReadonlyArray<readonly [string, string]>): ReadonlyMap<string, string> => {
  const prototypes = new Map([...rows, ...smallCapitals])
  const letters = new Set(
    [...prototypes].flatMap(([character]) => [character, character.toLowerCase(), character.toUpperCase()])
      // A skeleton is made of decomposed characters, and its marks go last.
      .filter((it) => [...it].length === 1 && it.normalize("NFD") === it && !/^\p{M}/u.test(it))
  )
  const of = (text: string): string =>
    [...fold(prototypes.get(text) ?? text)].map((it) => latin.get(it) ?? fold(prototypes.get(it) ?? it)).join("")
      .replaceAll(/\p{M}/gu, "")
  const table = new Map<string, string>()
  for (const character of letters) {
    const forms = [character, character.toUpperCase(), character.toLowerCase()].map(of)
    const skeleton = forms.find(isLatin) ?? of(character.toLowerCase())
    const plain = [...fold(character)].map((it) => latin.get(it) ?? it).join("").replaceAll(/\p{M}/gu, "")
    const isBetter = isLatin(skeleton) || !isLatin(plain) && /^[\p{L}\p{N}]+$/u.test(skeleton)
    if (skeleton !== plain && isBetter) table.set(character, skeleton)
  }
  return closed(table)
}

const isLatin = (text: string): boolean => /^[a-z0-9]+$/.test(text)

// Letters of phonetic scripts, which Unicode tells from capitals by their height alone, and does not list.
const smallCapitals = Array.from("ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz".matchAll(/(.)(.)/gu))
  .map(([, small = "", letter = ""]) => [small, letter] as const)

/** The table with look-alikes of look-alikes resolved, so that a skeleton is its own skeleton. */
const closed = (table: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const next = new Map(
    [...table].map(([character, skeleton]) =>
      [character, [...skeleton].map((it) => table.get(it) ?? latin.get(it) ?? it).join("")] as const
    ).filter(([character, skeleton]) => character !== skeleton)
  )
  return [...next].every(([character, skeleton]) => table.get(character) === skeleton) ? next : closed(next)
}

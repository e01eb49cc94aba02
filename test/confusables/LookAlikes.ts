import { fold, latin } from "../../src/domain/names/Skeleton.ts"

/** Characters of confusables.txt with their prototypes (UTS #39 §4). */
export const parse = (text: string) => ({
  version: /^# Version: (\S+)$/m.exec(text)?.[1] ?? "of unknown version",
  rows: [...text.matchAll(/^\ufeff?([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gm)].map(([, character = "", prototype = ""]) =>
    [characters(character), characters(prototype)] as const
  )
})

const characters = (hex: string): string =>
  String.fromCodePoint(...hex.trim().split(" ").map((point) => Number.parseInt(point, 16)))

type Table = ReadonlyMap<string, string>

export interface LookAlikes {
  /** What characters look like as they are written. */
  readonly byShape: Table
  /** Latin letters that small letters look like by their capitals, or as small capitals. */
  readonly byCase: Table
  /** Latin letters that Greek and Cyrillic small letters look like but for a mark. */
  readonly marked: Table
}

/**
 * Part of Unicode's table that `Skeleton` needs, in its letters. Left out is what it does without a table (width,
 * style, case, accents), and letters that look like punctuation, which it does not read: a name would lose them.
 *
 * A character stands for the Latin letters that it looks like; failing that, for those that its upper or lower case
 * looks like, because users read names in any case: the Cyrillic "м" is no "m" to Unicode, but "М" is an "M".
 *
 * A mark in a prototype is an accent on a Latin letter or a sign. In other scripts it makes another letter: to Unicode
 * the Arabic ش is a س with three dots.
 */
export const lookAlikes = (rows: ReadonlyArray<readonly [string, string]>): LookAlikes => {
  const prototypes = new Map([...rows, ...signs])
  const forms = new Map([...prototypes, ...smallCapitals])
  const letters = new Set(
    [...forms].flatMap(([character]) => [character, character.toLowerCase(), character.toUpperCase()])
      // A skeleton is made of decomposed characters, and marks are no letters.
      .filter((it) => [...it].length === 1 && it.normalize("NFD") === it && !mark.test(it))
  )
  const tables = {
    byShape: new Map<string, string>(),
    byCase: new Map<string, string>(),
    marked: new Map<string, string>()
  }
  for (const character of letters) {
    const isAccented = !/^[\p{L}--\p{sc=Latn}]/v.test(fold(character))
    const shapeIn = (table: Table) => (text: string): string => {
      const shape = [...fold(table.get(text) ?? text)].map((it) => latin.get(it) ?? fold(table.get(it) ?? it)).join("")
      return isAccented ? shape.replaceAll(marks, "") : shape
    }
    const cases = [character, character.toUpperCase(), character.toLowerCase()]
    const shapes = cases.map(shapeIn(prototypes))
    const plain = shapeIn(new Map())(character)
    const latinShape = [...shapes, ...cases.map(shapeIn(forms))].find(isLatin)
    const shape = latinShape ?? shapes.at(-1) ?? plain
    const isSmall = character === character.toLowerCase()
    const unmarked = shapes.map((it) => it.replaceAll(marks, "")).find(isLatin)
    const isByShape = latinShape === undefined || shapes[0] === latinShape
    const isBetter = shape !== plain && (isLatin(shape) || !isLatin(plain) && isRead(shape))
    if (isBetter && isByShape) tables.byShape.set(character, shape)
    else if (isSmall && /[\p{sc=Grek}\p{sc=Cyrl}]/u.test(character) && unmarked !== undefined && unmarked !== shape) {
      tables.marked.set(character, unmarked)
    } else if (isBetter && isSmall) tables.byCase.set(character, shape)
  }
  return closed(tables)
}

const mark = /^\p{M}/u
const marks = /\p{M}/gu

const isLatin = (text: string): boolean => /^[a-z0-9]+$/.test(text)

/** Letters and digits with marks, none of which `Skeleton` would take for an accent or a vowel point. */
const isRead = (text: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u.test(text) &&
  !/[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{sc=Zyyy}]\p{M}|[\u064b-\u0652\u0670]/u.test(text)

const pairs = (text: string) =>
  Array.from(text.matchAll(/(.)(.)/gu), ([, one = "", other = ""]) => [one, other] as const)

// What Unicode does not list: the kra, which is a small capital K; and letters on dark discs and squares.
const signs = [
  ["ĸ", "k"],
  ...[0x1f150, 0x1f170].flatMap((first) =>
    Array.from("abcdefghijklmnopqrstuvwxyz", (letter, at) => [String.fromCodePoint(first + at), letter] as const)
  )
] as const

// Letters of phonetic scripts, which Unicode tells from capitals by their height alone.
const smallCapitals = pairs("ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz")

/** Tables with look-alikes of look-alikes resolved, so that a skeleton is its own skeleton. */
const closed = (tables: LookAlikes): LookAlikes => {
  const all = new Map([...tables.byShape, ...tables.byCase])
  const resolved = (table: Table): Table =>
    new Map(
      [...table].map(([character, shape]) =>
        [character, [...shape].map((it) => all.get(it) ?? latin.get(it) ?? it).join("")] as const
      ).filter(([character, shape]) => character !== shape && (isLatin(shape) || isRead(shape)))
    )
  const next = { byShape: resolved(tables.byShape), byCase: resolved(tables.byCase), marked: resolved(tables.marked) }
  const isSame = (one: Table, other: Table) =>
    one.size === other.size && [...one].every(([character, shape]) => other.get(character) === shape)
  return isSame(next.byShape, tables.byShape) && isSame(next.byCase, tables.byCase) &&
      isSame(next.marked, tables.marked)
    ? next
    : closed(next)
}

import type { Dice } from "./Dice.ts"

/** Markup that a page must never contain as it is. */
export const markup = `"'><fuzz-${"mark"}>`

const strange = [
  "",
  " ",
  "\0",
  "a\0b",
  "null",
  "undefined",
  "true",
  "-1",
  "0",
  "1e309",
  "NaN",
  "9007199254740993",
  "99999999999999999999",
  markup,
  "'; DROP TABLE clients; --",
  "%00",
  "%ff%fe",
  "%",
  "../../../../etc/passwd",
  "..%2f..%2f",
  "//evil.example",
  "https://evil.example/callback",
  "javascript:alert(1)",
  "data:text/html,x",
  "\u202Egnp.exe",
  "\uFEFFname",
  "ａｄｍｉｎ",
  "e\u0301\u0301\u0301",
  "👩‍👩‍👧‍👦",
  "\uD800",
  "İ",
  "\r\nSet-Cookie: a=b",
  "a\tb",
  "${7*7}{{7*7}}",
  "__proto__",
  "constructor",
  "toString",
  "PROFILE_READ,,BOOKING_READ",
  "profile_read",
  "slk_refresh_00000000000000000000000000000000000000000000000",
  "eyJhbGciOiJub25lIn0.e30."
] as const

/** A text that somebody might send in place of a right one. */
export const strangeText = (dice: Dice): string => {
  switch (dice.below(8)) {
    case 0:
      return dice.pick(["A", "é", "\u0000", "👻", "../", "%2e", "a,"]).repeat(dice.pick([65, 257, 2_001, 9_000]))
    case 1:
      return String.fromCharCode(...Array.from({ length: 1 + dice.below(20) }, () => dice.below(0x10000)))
    default:
      return dice.pick(strange)
  }
}

/** A text near the given one: what typing mistakes and small attacks look like. */
export const nearby = (dice: Dice, text: string): string => {
  const at = dice.below(text.length + 1)
  switch (dice.below(7)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1)
    case 1:
      return text.slice(0, at) + dice.pick(["x", "\0", "%", " ", "/", "é", "=", "&"]) + text.slice(at)
    case 2:
      return text.toUpperCase()
    case 3:
      return ` ${text} `
    case 4:
      return text + text
    case 5:
      return text.slice(0, at)
    default:
      return strangeText(dice)
  }
}

/** A JSON value of any kind in place of a right one. */
export const strangeJson = (dice: Dice, value: unknown): unknown => {
  switch (dice.below(9)) {
    case 0:
      return null
    case 1:
      return dice.pick([0, -1, 1.5, 2 ** 53, 1e308, -0])
    case 2:
      return dice.chance(0.5)
    case 3:
      return [value, value]
    case 4:
      return { value }
    case 5:
      return Array.from({ length: 200 }, () => value)
    case 6:
      return nested(50)
    default:
      return typeof value === "string" ? nearby(dice, value) : strangeText(dice)
  }
}

const nested = (depth: number): unknown => depth === 0 ? [] : [nested(depth - 1)]

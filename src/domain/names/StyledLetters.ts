/** Letters and digits of a text that are others in a special width or style, such as `Ｓ`, `𝒮` and `Ⓢ`. */
export const styledLetters = (text: string): string =>
  (text.normalize("NFC").match(eastAsian.test(text) ? styled : styledOrWide) ?? []).join("")

// Writers of Chinese, Japanese and Korean give Latin letters the width of their own: `ＪＲ東日本`.
const eastAsian = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u

// Mathematical, letterlike and enclosed letters; of those that are emoji, such as 🅿️, only what is written into a word.
// Ordinals, units and marks of trade such as ª, ² and ™ are not among them: they are written in names.
const styled =
  /(?:[[\u{1d400}-\u{1d7ff}\u2460-\u24ff\u{1f100}-\u{1f1e5}\u2102-\u2115\u2119-\u211d\u2124\u2128-\u2134\u2139\u2145-\u2149\u{1ccd6}-\u{1ccf9}]--\p{Emoji}]|(?<=[\p{L}\p{N}])[\u24c2\u2139\u{1f170}-\u{1f19a}]|[\u24c2\u2139\u{1f170}-\u{1f19a}](?=\ufe0f?[\p{L}\p{N}]))/gv

const styledOrWide = new RegExp(`[\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a]|${styled.source}`, "gv")

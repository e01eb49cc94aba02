import { Context, Schema } from "effect"
import { parseAccept } from "hono/utils/accept"
import { readdirSync, readFileSync } from "node:fs"
import { type Language, make } from "./Language.ts"

const folder = new URL("languages/", import.meta.url)
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

/** Messages of a language, as its file has them. */
export const messagesOf = (tag: string) => decode(readFileSync(new URL(`${tag}.json`, folder), "utf8"))

export const english: Language = make("en", messagesOf("en"))

/** All languages that there are files of, English first. */
export const languages: ReadonlyArray<Language> = [
  english,
  ...readdirSync(folder)
    .map((file) => file.replace(/\.json$/, ""))
    .filter((tag) => tag !== english.tag)
    .map((tag) => make(tag, messagesOf(tag), english))
]

/** Languages of pages and mails; tests have more. */
export const Languages = Context.Reference<ReadonlyArray<Language>>(
  "slotkey/foundation/messages/Languages",
  { defaultValue: () => languages }
)

/** Languages that a browser accepts, the most welcome first (RFC 9110 §12.5.4). */
export const accepted = (acceptLanguage: string | undefined): ReadonlyArray<string> =>
  parseAccept(acceptLanguage ?? "").flatMap(({ q, type }) => q > 0 ? [type] : [])

/**
 * Language for somebody with these wishes, language tags in order: the nearest to the first that one is near to, else
 * English. Languages are near each other if they are the same in the same script (`zh-TW` and `zh-Hant`).
 */
export const preferred = (languages: ReadonlyArray<Language>, wishes: ReadonlyArray<string>): Language => {
  if (languages.length === 1) return languages[0] ?? english
  for (const wish of wishes.slice(0, mostWishes)) {
    const found = nearest(languages, likely(wish))
    if (found !== undefined) return found
  }
  return english
}

// A stranger writes them.
const mostWishes = 10

const nearest = (languages: ReadonlyArray<Language>, wish: Intl.Locale | undefined): Language | undefined => {
  if (wish === undefined) return undefined
  const near = languages.flatMap((language) => {
    const locale = likely(language.tag)
    return locale?.language === wish.language && locale.script === wish.script ? [{ language, locale }] : []
  })
  return (near.find(({ locale }) => locale.region === wish.region) ?? near[0])?.language
}

/** A tag with the script and region that it most likely means; `undefined` for what is no tag. */
const likely = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}

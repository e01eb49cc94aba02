import { Result, Schema } from "effect"
import { Line } from "../Line.ts"

/** Text for people: in English, or by language, with English among them. */
export const Words = (most: number, description: string) => {
  const line = Line(most)
  return Schema.Union([
    line,
    Schema.StructWithRest(Schema.Struct({ en: line }), [
      Schema.Record(Schema.String.check(Schema.isPattern(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/u)), line)
    ]).annotate({ messageUnexpectedKey: "is no language tag (BCP 47)" }).check(Schema.makeFilter(faultOfLanguages))
  ]).annotate({ description: `${description} A text, or an object with one by language (BCP 47), "en" among them.` })
}

/** Text for people: in English, or by language (BCP 47), with English among them. */
export type Words = string | { readonly en: string; readonly [language: string]: string }

const faultOfLanguages = (texts: Readonly<Record<string, string>>): string | true => {
  const tags = Object.keys(texts)
  const wrong = tags.find((tag) => Result.isFailure(Result.try(() => Intl.getCanonicalLocales(tag))))
  if (wrong !== undefined) return `has "${wrong}", which is no language tag (BCP 47)`
  const lower = tags.map((tag) => tag.toLowerCase())
  const twin = tags.find((_, at) => lower.indexOf(lower[at] ?? "") < at)
  return twin === undefined || `has the language "${twin}" twice`
}

/** Text for people in their language (BCP 47), or else in English. */
export const inLanguage = (words: Words, language: string): string => {
  if (typeof words === "string") return words
  const [primary = ""] = language.split("-")
  return words[language] ?? words[primary] ?? words.en
}

export const inEnglish = (words: Words): string => inLanguage(words, "en")

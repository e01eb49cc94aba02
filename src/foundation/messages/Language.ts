import { IntlMessageFormat } from "intl-messageformat"
import type english from "./languages/en.json"

// This room has every text that people read on pages and in mails, under keys: a file for each language in `languages`
// (docs/languages.md). What writes a page or a mail asks it, once it knows who reads that.

/** Name of a message. English has them all; one that another language lacks is read in English. */
export type MessageKey = keyof typeof english

/** A language that pages and mails are written in. */
export interface Language {
  /** Language tag (BCP 47). */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
  /** Name of the language in itself. */
  readonly name: string
  /** Locale of its dates. */
  readonly locale: string
  /** Tells if a key is one of its messages. */
  readonly has: (key: string) => key is MessageKey
  /** A message with its values: texts, and what stands between them. */
  readonly parts: <A extends object>(key: MessageKey, values: Values<A>) => ReadonlyArray<string | A>
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string
  /** So many units of time from now, or before now if there are less than none: "in 2 days". */
  readonly fromNow: (value: number, unit: Intl.RelativeTimeFormatUnit) => string
  /** A list of so many items, which stand as their indexes between its texts: "0, 1 and 2". */
  readonly list: (length: number, type: Intl.ListFormatType) => ReadonlyArray<string | number>
}

/** Values by their names in the message; the value of a tag makes something of its content. */
export type Values<A> = Readonly<Record<string, string | number | A | ((content: ReadonlyArray<string | A>) => A)>>

/** Makes a language of its messages, each of which is compiled when it is first read. */
export const make = (tag: string, messages: Readonly<Record<string, string>>, english?: Language): Language => {
  // Days before months, and no comma before the last item of a list.
  const locale = tag === "en" ? "en-GB" : tag
  const numbers = kept((options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options), optionsKey)
  const plurals = kept((options?: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options), optionsKey)
  const lists = kept((type: Intl.ListFormatType) => new Intl.ListFormat(locale, { type }), String)
  const relative = kept((locale: string) => new Intl.RelativeTimeFormat(locale), String)
  const formatters: Formatters = {
    getNumberFormat: (_, options) => numbers(options),
    getPluralRules: (_, options) => plurals(options),
    // Times are written by `InstantText`, as their reader prefers them.
    getDateTimeFormat: () => {
      throw new Error("a message has no times of its own")
    }
  }
  const compiled = kept((message: string) => {
    const format = new IntlMessageFormat(message, locale, undefined, { formatters })
    const [first, ...others] = format.getAst()
    // Most messages are a text without values, which pages have many of.
    return { format, constant: first?.type === literal && others.length === 0 ? [first.value] : undefined }
  }, String)

  return {
    tag,
    locale,
    direction: rightToLeft.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr",
    name: new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag,
    has: (key): key is MessageKey => Object.hasOwn(messages, key),
    parts: <A extends object>(key: MessageKey, values: Values<A>) => {
      const message = messages[key]
      if (message === undefined) return english?.parts(key, values) ?? [key]
      const { constant, format } = compiled(message)
      return constant ?? format.formatToParts<A>(values).map(({ value }) => value)
    },
    number: (value, options) => numbers(options).format(value),
    fromNow: (value, unit) => relative(locale).format(value, unit),
    list: (length, type) =>
      lists(type).formatToParts(Array.from({ length }, (_, at) => String(at))).map(({ type, value }) =>
        type === "element" ? Number(value) : value
      )
  }
}

type Formatters = NonNullable<NonNullable<ConstructorParameters<typeof IntlMessageFormat>[3]>["formatters"]>

/** Type of an element of a message: nothing but text. */
const literal = 0

/** Scripts of living languages that are written from right to left. */
const rightToLeft: ReadonlySet<string> = new Set(["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"])

/** Keeps what is made: making a formatter takes longer than all else of a line, and each holds tens of kilobytes. */
const kept = <Options, A>(make: (options: Options) => A, keyOf: (options: Options) => string) => {
  const made = new Map<string, A>()
  return (options: Options): A => {
    const key = keyOf(options)
    const known = made.get(key)
    if (known !== undefined) return known
    const one = make(options)
    made.set(key, one)
    return one
  }
}

const optionsKey = (options: object = {}): string => JSON.stringify(options)

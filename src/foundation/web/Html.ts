import type { DateTime } from "effect"
import { escapeToBuffer } from "hono/utils/html"
import type { Brand } from "../../domain/brand/Brand.ts"
import type { Language } from "../messages/Language.ts"

/** Person who reads a page or a mail. */
export interface Reader {
  readonly language: Language
  /** Instant at which they read; unknown of what is kept or mailed. */
  readonly now?: DateTime.Utc
  /** Name and look of the platform at the host that they came to. */
  readonly brand: Brand
  /** Languages that they may choose from, and the address of the page; only of a page that can be had again. */
  readonly choice?: { readonly address: string; readonly languages: ReadonlyArray<Language> } | undefined
  /** True if the address of the page says its language, as the footer's links do. */
  readonly keepsLanguage?: boolean
  /**
   * True of an administrator who looks at what others see, with data that stands for theirs; `preview` of a reviewer
   * who looks at what others will see.
   */
  readonly isSample?: boolean | "preview"
}

/** Markup that is not a text yet: it becomes one when it is sent, because only then its reader is known. */
export abstract class Html {
  abstract writeTo(text: Written, reader: Reader): void
}

/** Makes markup from a template: interpolated texts are escaped, markup is kept, and lists of markup are joined. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => new Template(strings, parts)

export type Part = Phrase | number | boolean | null | undefined | ReadonlyArray<Phrase>

/** Text for people: a message (`Message.ts`), or somebody's own, such as a name. */
export type Phrase = Html | string

/** Markup that depends on its reader. */
export const forReader = (make: (reader: Reader) => Part): Html => new ForReader(make)

/** Markup as a text for its reader. */
export const write = (markup: Html, reader: Reader): string => {
  const text: Written = [""]
  markup.writeTo(text, reader)
  return text[0]
}

/** Text written so far. */
export type Written = [string]

class Template extends Html {
  readonly strings: ReadonlyArray<string>
  readonly parts: ReadonlyArray<Part>

  constructor(strings: ReadonlyArray<string>, parts: ReadonlyArray<Part>) {
    super()
    this.strings = strings
    this.parts = parts
  }

  override writeTo(text: Written, reader: Reader): void {
    const { parts, strings } = this
    // Pages consist of these; a function for each piece would cost a tenth of their time.
    for (let at = 0; at < strings.length; at++) {
      text[0] += strings[at] ?? ""
      writePart(parts[at], text, reader)
    }
  }
}

class ForReader extends Html {
  readonly make: (reader: Reader) => Part

  constructor(make: (reader: Reader) => Part) {
    super()
    this.make = make
  }

  override writeTo(text: Written, reader: Reader): void {
    writePart(this.make(reader), text, reader)
  }
}

/** Adds a part to the text. */
export const writePart = (part: Part, text: Written, reader: Reader): void => {
  if (typeof part === "string") escapeToBuffer(part, text)
  else if (typeof part === "number") text[0] += part
  else if (part instanceof Html) part.writeTo(text, reader)
  else if (Array.isArray(part)) { for (const one of part) writePart(one, text, reader) }
}

/** Empty markup. */
export const nothing: Html = html``

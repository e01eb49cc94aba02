import { escapeToBuffer } from "hono/utils/html"

/** Markup that is not a text yet: it becomes one when its page is sent, because only then its reader is known. */
export abstract class Html {
  abstract writeTo(text: Written): void
}

/** Makes markup from a template: interpolated texts are escaped, markup is kept, and lists of markup are joined. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => new Template(strings, parts)

type Part = Html | string | number | boolean | null | undefined | ReadonlyArray<Html>

/** Markup as a text. */
export const write = (markup: Html): string => {
  const text: Written = [""]
  markup.writeTo(text)
  return text[0]
}

/** Text written so far. */
type Written = [string]

class Template extends Html {
  readonly strings: ReadonlyArray<string>
  readonly parts: ReadonlyArray<Part>

  constructor(strings: ReadonlyArray<string>, parts: ReadonlyArray<Part>) {
    super()
    this.strings = strings
    this.parts = parts
  }

  override writeTo(text: Written): void {
    this.strings.forEach((markup, at) => {
      text[0] += markup
      writePart(this.parts[at], text)
    })
  }
}

const writePart = (part: Part, text: Written): void => {
  if (typeof part === "string") escapeToBuffer(part, text)
  else if (typeof part === "number") text[0] += part
  else if (part instanceof Html) part.writeTo(text)
  else if (typeof part === "object") part?.forEach((one) => one.writeTo(text))
}

/** Empty markup. */
export const nothing: Html = html``

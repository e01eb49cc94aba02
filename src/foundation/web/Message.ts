import { Result } from "effect"
import { type MessageKey, type Values } from "../messages/Language.ts"
import { english as languageOfPrograms } from "../messages/Languages.ts"
import { Html, html, type Phrase, type Reader, writePart, type Written } from "./Html.ts"

/** Values of a message that can be kept, or read by a program. */
export type PlainValues = Readonly<Record<string, string | number>>

/** A text for people, in the language of its reader. */
export class Message<out A extends Values<Html> = Values<Html>> extends Html {
  readonly key: MessageKey
  readonly values: A

  constructor(key: MessageKey, values: A) {
    super()
    this.key = key
    this.values = values
  }

  override writeTo(text: Written, reader: Reader): void {
    for (const part of reader.language.parts<Html>(this.key, this.values)) writePart(part, text, reader)
  }
}

/**
 * The text under this key, with its values by their names: texts and numbers, markup, and for each tag in it what makes
 * markup of its content (docs/languages.md).
 */
export const text: {
  (key: MessageKey): Message<PlainValues>
  <A extends Values<Html>>(key: MessageKey, values: A): Message<A>
} = (key: MessageKey, values = {}) => new Message(key, values)

/** Message that was kept, perhaps by another release; `undefined` if this one has none of the key and the values. */
export const keptMessage = (key: string, values: PlainValues): Message<PlainValues> | undefined => {
  if (!languageOfPrograms.has(key)) return undefined
  const message = new Message(key, values)
  return Result.isSuccess(Result.try(() => inEnglish(message))) ? message : undefined
}

/** A text for programs, which read English. */
export const inEnglish = ({ key, values }: Message<PlainValues>): string =>
  languageOfPrograms.parts(key, values).join("")

/** An error of the domain: its code and, in English, what programs read. */
export interface Problem {
  readonly code: string
  readonly message: string
}

/** A problem as people read it: the message of its code, or else what programs read. */
export const problemText = ({ code, message }: Problem): Html => keptMessage(`error.${code}`, {}) ?? english(message)

/** A text for programs, which a page shows as it is, so that readers find it elsewhere; it says that it is English. */
export const english = (words: string): Html => html`<span lang="en">${words}</span>`

/** Tags of messages. */
export const strong = (content: ReadonlyArray<Phrase>): Html => html`<strong>${content}</strong>`
export const muted = (content: ReadonlyArray<Phrase>): Html => html`<span class="muted">${content}</span>`
export const code = (content: ReadonlyArray<Phrase>): Html => html`<code>${content}</code>`
/** For those who hear a page. */
export const hidden = (content: ReadonlyArray<Phrase>): Html => html`<span class="visually-hidden">${content}</span>`
export const link = (href: string) => (content: ReadonlyArray<Phrase>): Html => html`<a href="${href}">${content}</a>`

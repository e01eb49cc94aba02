import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser"
import { printAST } from "@formatjs/icu-messageformat-parser/printer.js"
import { type Language, make } from "../../src/foundation/messages/Language.ts"
import { english, messagesOf } from "../../src/foundation/messages/Languages.ts"

/**
 * A text as a language would have it that nobody speaks: each letter with an accent, so that an English one beside it
 * shows; longer by half; and in brackets, so that what is cut off shows.
 */
export const pseudo = (text: string): string => printAST(bracketed(parse(text).map(translated)))

/** A language of such texts, with this tag. */
export const pseudoLanguage = (tag: string): Language => {
  const messages = Object.entries(messagesOf(english.tag)).map(([key, message]) => [key, pseudo(message)] as const)
  const language = make(tag, Object.fromEntries(messages), english)
  // Units and what lists are joined by come from the platform, which does not know the language either.
  return {
    ...language,
    number: (value, options) => accented(language.number(value, options)),
    fromNow: (value, unit) => accented(language.fromNow(value, unit)),
    list: (length, type) => language.list(length, type).map((part) => typeof part === "string" ? accented(part) : part)
  }
}

const translated = (element: MessageFormatElement): MessageFormatElement => {
  switch (element.type) {
    case TYPE.literal:
      return { ...element, value: longer(accented(element.value)) }
    case TYPE.plural:
    case TYPE.select:
      return {
        ...element,
        options: mapped(element.options, (option) => ({ ...option, value: option.value.map(translated) }))
      }
    case TYPE.tag:
      return { ...element, children: element.children.map(translated) }
    default:
      return element
  }
}

const mapped = <A>(record: Readonly<Record<string, A>>, change: (value: A) => A): Record<string, A> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const bracketed = (message: ReadonlyArray<MessageFormatElement>): Array<MessageFormatElement> => [
  { type: TYPE.literal, value: "⟦" },
  ...message,
  { type: TYPE.literal, value: "⟧" }
]

const accented = (text: string): string =>
  text.replaceAll(/[A-Za-z]/g, (letter) => accents[letters.indexOf(letter)] ?? letter)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const accents = "ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž"

const longer = (text: string): string => {
  const count = Math.floor(text.trim().length / 2)
  return count === 0 ? text : text + " ~~~~~~~".repeat(Math.ceil(count / 8)).slice(0, count + 1)
}

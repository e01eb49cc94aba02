import type { Phrase } from "../../foundation/web/Html.ts"

// This room has every mail that people get, as a view has a page: plain functions make a mail of values, from messages
// of the catalogue. Workers send them, written for each recipient (`WrittenMail.ts`); `Samples.ts` lists them all.

/** A mail between its greeting and its footer. What it is about stands in its first paragraph. */
export interface Mail {
  readonly subject: Phrase
  readonly blocks: ReadonlyArray<Block>
}

/** A mail with what stands around it. */
export interface FramedMail extends Mail {
  readonly greeting: Phrase
  readonly footer: ReadonlyArray<Phrase>
}

export type Block =
  | { readonly _tag: "Paragraph"; readonly text: Phrase }
  | { readonly _tag: "Heading"; readonly text: Phrase }
  | { readonly _tag: "List"; readonly title: Phrase; readonly items: ReadonlyArray<Phrase> }
  | { readonly _tag: "Facts"; readonly facts: ReadonlyArray<Fact> }
  | { readonly _tag: "Quote"; readonly title: Phrase; readonly words: string }
  | { readonly _tag: "Button"; readonly label: Phrase; readonly address: string }
  | { readonly _tag: "Link"; readonly label: Phrase; readonly address: string }

export interface Fact {
  readonly label: Phrase
  readonly value: Phrase
}

export const paragraph = (text: Phrase): Block => ({ _tag: "Paragraph", text })

export const heading = (text: Phrase): Block => ({ _tag: "Heading", text })

/** Nothing where there are no items. */
export const list = (title: Phrase, items: ReadonlyArray<Phrase>): ReadonlyArray<Block> =>
  items.length === 0 ? [] : [{ _tag: "List", title, items }]

/** What one looks up, each with its label; those that are not known are left out. */
export const facts = (...known: ReadonlyArray<Fact | undefined>): Block => ({
  _tag: "Facts",
  facts: known.filter((one) => one !== undefined)
})

export const fact = (label: Phrase, value: Phrase): Fact => ({ label, value })

/** Words that somebody else wrote, marked so that they cannot pass for ours; nothing where there are none. */
export const quote = (title: Phrase, words: string | null): ReadonlyArray<Block> =>
  words === null || words === "" ? [] : [{ _tag: "Quote", title, words }]

/** What the mail wants its reader to do, if they want to. */
export const button = (label: Phrase, address: string): Block => ({ _tag: "Button", label, address })

export const link = (label: Phrase, address: string): Block => ({ _tag: "Link", label, address })

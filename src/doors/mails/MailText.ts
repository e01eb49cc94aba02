import { type Phrase, type Reader, write } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Block, FramedMail } from "./Mail.ts"

/** A mail for programs that show no HTML, and for people who want none. */
export const plainOf = ({ blocks, footer, greeting }: FramedMail, reader: Reader): string =>
  `${
    [
      wrapped(plain(greeting, reader)),
      plainBlocks(blocks, reader),
      // Mail programs take what follows for a signature (RFC 3676 §4.3).
      ["-- ", ...footer.map((line) => wrapped(plain(line, reader)))].join("\n")
    ].join("\n\n")
  }\n`

/** The blocks of a mail alone. */
export const plainBlocks = (blocks: ReadonlyArray<Block>, reader: Reader): string =>
  blocks.map((block) => linesOf(block, reader)).join("\n\n")

/** A phrase on one line, without markup. */
export const plain = (phrase: Phrase, reader: Reader): string =>
  (typeof phrase === "string" ? phrase : withoutMarkup(write(phrase, reader), reader)).replaceAll(/\s+/g, " ").trim()

const linesOf = (block: Block, reader: Reader): string => {
  const of = (phrase: Phrase) => plain(phrase, reader)
  switch (block._tag) {
    case "Paragraph":
    case "Heading":
      return wrapped(of(block.text))
    case "List":
      return [wrapped(of(block.title)), ...block.items.map((item) => wrapped(of(item), "- ", "  "))].join("\n")
    case "Facts":
      return block.facts.map(({ label, value }) => wrapped(of(text("mail.fact", { label, value })), "", "  ")).join(
        "\n"
      )
    case "Quote":
      return [wrapped(of(block.title)), ...quoted(block.words)].join("\n")
    case "Button":
    case "Link":
      // The address has its line, so that every program sees where it ends.
      return `${wrapped(of(text("mail.before", { label: block.label })))}\n${block.address}`
  }
}

const quoted = (words: string) => words.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => wrapped(line, "> "))

/** Lines of at most 76 columns. What has no space in it, such as an address, is never broken. */
const wrapped = (text: string, first = "", next = first): string => {
  const lines: Array<string> = []
  let line: string | undefined
  for (const word of text.split(" ")) {
    if (line !== undefined && [...line].length + 1 + [...word].length > columns) {
      lines.push(line)
      line = `${next}${word}`
    } else line = line === undefined ? `${first}${word}` : `${line} ${word}`
  }
  return [...lines, line ?? first].join("\n")
}

const columns = 76

/** Markup is ours, and what others wrote is escaped in it: so a `<` begins a tag, and a `>` ends it. */
const withoutMarkup = (markup: string, reader: Reader): string =>
  markup
    .replaceAll(/<bdi>([^<]*)<\/bdi>/g, (_, name: string) => isolated(name, reader))
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity)

const characters = new Map([["&amp;", "&"], ["&lt;", "<"], ["&gt;", ">"], ["&quot;", "\""], ["&#39;", "'"]])

/** A name of another direction, which would turn the line around that it stands in (UAX #9, isolates). */
const isolated = (name: string, { language: { direction } }: Reader): string =>
  direction === "rtl" || rightToLeft.test(name) ? `\u2068${name}\u2069` : name

const rightToLeft = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Rohg}]/u

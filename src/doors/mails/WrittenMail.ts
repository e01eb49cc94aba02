import { html, type Phrase, type Reader } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Mail } from "./Mail.ts"
import { type MailBrand, mailBrand } from "./MailBrand.ts"
import { htmlOf } from "./MailHtml.ts"
import { plain, plainOf } from "./MailText.ts"

/** A mail as its recipient gets it: the same words twice, of which a mail program shows what it can. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Writes a mail to somebody of this name, which may be empty: not every recipient has an account. */
export const writtenMail = (mail: Mail, name: string, authUrl: string, reader: Reader): WrittenMail => {
  const brand = mailBrand(reader.brand, authUrl, reader.language.tag)
  const framed = { ...mail, greeting: greeting(name), footer: footer(brand) }
  return {
    subject: plain(mail.subject, reader),
    text: plainOf(framed, reader),
    html: htmlOf(framed, brand, reader)
  }
}

const greeting = (name: string): Phrase =>
  name === "" ? text("mail.greetingUnknown") : text("mail.greeting", { name: html`<bdi>${name}</bdi>` })

const footer = ({ host, name, support }: MailBrand): ReadonlyArray<Phrase> => [
  text("mail.footer", { name: html`<bdi>${name}</bdi>`, host }),
  ...(support === undefined ? [] : [text("mail.footerSupport", { support })])
]

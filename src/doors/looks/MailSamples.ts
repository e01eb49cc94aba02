import { HttpServerResponse } from "effect/http"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { html } from "../../foundation/web/Html.ts"
import { htmlType, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Place } from "../mails/MailParts.ts"
import { sampleMails } from "../mails/Samples.ts"
import { writtenMail } from "../mails/WrittenMail.ts"
import type { Sample } from "./Sample.ts"

/** Every mail, as its HTML and as its text. */
export const mailSamples = ({ authUrl }: Place, catalogue: Catalogue): ReadonlyArray<Sample> =>
  sampleMails({ authUrl }, catalogue).map(({ mail, name, to }) => ({
    id: `mail-${name}`,
    label: mail.subject,
    show: ({ reader }) => document(writtenMail(mail, to, authUrl, reader).html),
    showText: ({ reader, visitor: { viewer } }) => {
      const written = writtenMail(mail, to, authUrl, reader)
      return page({
        title: written.subject,
        viewer,
        body: html`<h1>${written.subject}</h1>
<dl class="facts"><dt>${text("looks.facts.sender")}</dt><dd><bdi>${reader.brand.mailFrom}</bdi></dd></dl>
<pre class="mail" dir="auto">${written.text}</pre>`
      })
    }
  }))

/**
 * A mail has its look in its elements, which the policy of pages forbids. In its own nothing runs, nothing is loaded,
 * and it is of no origin.
 */
const document = (markup: string) =>
  HttpServerResponse.text(markup, {
    contentType: htmlType,
    headers: {
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
    }
  })

import type { ClientDocument } from "../../core/clients/documents/ClientDocuments.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { documentHostOf } from "../../core/clients/records/DocumentHost.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

interface DocumentView {
  readonly client: ManagedClient
  readonly document: ClientDocument | undefined
  readonly visitor: Visitor
}

/** Host above the name of an app that describes itself: the one thing about it that nobody can choose. */
export const documentHost = (client: ManagedClient): Html => {
  const host = documentHostOf(client)
  return host === undefined ? nothing : html`<p class="app-host"><bdi>${host}</bdi></p>\n`
}

/** Document by which an app describes itself: where it is, what it says, and the way to trust its host. */
export const documentSection = ({ client, document, visitor: { account } }: DocumentView): Html => {
  if (document === undefined) return nothing
  const { content, digest, fault, faultAt, fetchedAt, host } = document
  return html`<section aria-labelledby="document">
<h2 id="document">${text("document")}</h2>
<p>${text("document.about", { host: html`<strong><bdi>${host}</bdi></strong>` })}</p>
${
    fault === null || faultAt === null ? nothing : notice(
      "warning",
      html`<p>${
        faultText(fault.field === undefined ? text("document.it") : fault.field, { path: "", ...fault.reason })
      } ${text("document.fault", { at: dateText(faultAt, account) })}</p>`
    )
  }
<dl class="facts">
<dt>${text("document.address")}</dt><dd><code>${breakable(client.id)}</code></dd>
<dt>${text("document.fetchedAt")}</dt><dd>${dateText(fetchedAt, account)}</dd>
<dt>${text("document.digest")}</dt><dd><code>${digest}</code></dd>
</dl>
<details><summary>${text("document.content")}</summary><pre tabindex="0"><code>${content}</code></pre></details>
${
    client.status === "pending"
      ? html`<p><a href="${reviewPath(client.id)}/trust">${
        text("trustedHosts.trust", { host: html`<bdi>${host}</bdi>` })
      }</a></p>`
      : nothing
  }
</section>`
}

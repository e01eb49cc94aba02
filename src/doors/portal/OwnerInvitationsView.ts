import type { Offer } from "../../core/clients/owners/CoOwner.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import { ownersPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

/** An invitation with the name of the owner whose app it is. */
export interface OfferView extends Offer {
  readonly from: Phrase
}

/** Invitations to share apps, above the list of one's own; nothing where there are none. */
export const ownerInvitations = (visitor: Visitor, offers: ReadonlyArray<OfferView>): Html =>
  offers.length === 0 ? nothing : html`<section aria-labelledby="owner-invitations">
<h2 id="owner-invitations">${text("ownerInvitations")}</h2>
<ul class="rows">${offers.map((offer) => row(visitor, offer))}</ul>
</section>`

const row = ({ viewer }: Visitor, { clientId, from, name, role, takesOver, website }: OfferView): Html => {
  const host = URL.canParse(website) ? new URL(website).host : ""
  const answer = (act: string, button: Html, look: string) =>
    html`<form method="post" action="${ownersPath(clientId)}/${act}">${
      csrfField(viewer)
    }<button class="${look}">${button}</button></form>`
  return html`<li><div>${
    text(takesOver ? "ownerInvitations.takesOver" : `ownerInvitations.as.${role}`, {
      from,
      app: html`<strong><bdi>${name}</bdi></strong>`
    })
  }${host === "" ? nothing : html` <small class="muted"><bdi>${host}</bdi></small>`}</div>
<div class="actions">${answer("accept", text("ownerInvitations.accept", { app: name, hidden }), "secondary")}${
    answer("decline", text("ownerInvitations.decline", { app: name, hidden }), "link")
  }</div></li>`
}

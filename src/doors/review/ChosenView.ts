import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { ChosenApp } from "../../core/clients/review/ChosenApps.ts"
import { decidedScopes } from "../../core/clients/review/DecidedScopes.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import { boxOf, chosenPath, claimPath, queuePath } from "./QueueAddress.ts"
import { riskBadge } from "./QueueRow.ts"
import { reasonTemplate } from "./ReasonTemplates.ts"

export interface ChosenView {
  readonly visitor: Visitor
  readonly chosen: ReadonlyArray<ChosenApp>
  /** Those of them that still exist. */
  readonly clients: ReadonlyArray<ManagedClient>
  readonly catalogue: Catalogue
  readonly people: ReadonlyMap<string, Phrase>
  readonly reason: string
  readonly problem?: BadRequest | Conflict | undefined
}

/** Several apps that a reviewer is about to reject with one reason, or to claim. */
export const chosenBody = (view: ChosenView): Html => {
  const { chosen, clients, problem, reason, visitor: { viewer } } = view
  const looked = new Map(chosen.map(({ id, version }) => [id, version]))
  const ready = clients.filter(({ id, isWaiting, version }) => isWaiting && looked.get(id) === version)
  const gone = chosen.length - ready.length
  return html`<h1>${text("queue.chosen.title")}</h1>
${gone === 0 ? nothing : notice("note", html`<p>${text("queue.chosen.leftOut", { count: gone })}</p>`)}
<ul>${ready.map((client) => item(view, client))}</ul>
${
    ready.length === 0
      ? nothing
      : html`<form method="post" action="${chosenPath}">${csrfField(viewer)}
${ready.map(({ id, version }) => html`<input type="hidden" name="${boxOf(id)}" value="${version}">`)}
${reasonTemplate("chosen")}
${
        area({
          name: "reason",
          label: text("review.reject.reason"),
          value: reason,
          rows: 3,
          hint: text("queue.chosen.hint"),
          required: false
        }, problem?.details ?? [])
      }
<p class="actions"><button class="danger">${text("queue.chosen.reject", { count: ready.length })}</button>
<button class="secondary" formaction="${claimPath}">${text("queue.chosen.claim", { count: ready.length })}</button></p>
</form>`
  }
<p><a href="${queuePath}">${text("review.queue")}</a></p>`
}

const item = ({ catalogue, people }: ChosenView, client: ManagedClient): Html => {
  const { id, name, ownerId, status } = client
  return html`<li><a href="${reviewPath(id)}"><bdi>${name}</bdi></a> · ${people.get(ownerId) ?? ownerId} · ${
    riskBadge(judge(catalogue, decidedScopes(client)).risk)
  }${status === "pending" ? nothing : html` · ${text("queue.flag.change")}`}</li>`
}

import type { RelatedApp } from "../../core/clients/life/RelatedApp.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { ReviewCheck } from "../../core/clients/review/ReviewCheck.ts"
import { foundIn, type LookResult, resultOf, type ReviewLook } from "../../core/clients/review/ReviewLook.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { muted, text } from "../../foundation/web/Message.ts"
import { reviewPath } from "../parts/Paths.ts"
import { statusLabel } from "../parts/StatusView.ts"
import type { Visitor } from "../session/PageSession.ts"
import { causeText, onPage } from "./CauseText.ts"
import { lookText } from "./LookText.ts"

export interface ChecksView {
  readonly client: ManagedClient
  readonly catalogue: Catalogue
  readonly looks: ReadonlyArray<ReviewLook>
  /** Names of the accounts that the page speaks of, by id. */
  readonly people: ReadonlyMap<string, Phrase>
  readonly visitor: Visitor
}

/**
 * Facts that a reviewer would not see by looking at the app alone, with what was looked at and what was not. Nothing
 * here says that an app is good.
 */
export const checkList = (view: ChecksView): Html => {
  const having = (result: LookResult) => view.looks.filter((look) => resultOf(look) === result)
  const list = (label: Html, items: ReadonlyArray<Html>, kind: string) =>
    items.length === 0 ? nothing : html`<h3>${label}</h3><ul class="${kind}">${items}</ul>`
  const line = (look: ReviewLook) => html`<li>${lookIn(look, view)}</li>`
  return html`<section aria-labelledby="checks">
<h2 id="checks">${text("review.checks")}</h2>
${list(text("review.checks.found"), having("stands_out").flatMap((look) => foundBy(look, view)), "checks")}
${list(text("review.checks.clear"), having("nothing_found").map(line), "muted")}
${list(text("review.checks.unseen"), having("not_looked").map(line), "muted")}
<p class="muted">${text("review.checks.notDone")}</p>
${view.looks.some(isAskable) ? askForm(view) : nothing}
</section>`
}

const lookIn = (look: ReviewLook, { catalogue, visitor }: ChecksView): Html =>
  lookText(look, { listed: onPage(catalogue).listed, when: (at) => dateText(at, visitor.account) })

const isAskable = (look: ReviewLook): boolean =>
  "unseen" in look ? look.unseen.of === "website" && look.unseen.why !== "not_https" : look.seen.of === "website"

const askForm = ({ client, visitor }: ChecksView): Html =>
  html`<form method="post" action="${reviewPath(client.id)}/website">
${csrfField(visitor.viewer)}
<button class="secondary">${text("review.website.ask")}</button>
</form>`

/** What a look found, and below the last of it what was looked at. */
const foundBy = (look: ReviewLook, view: ChecksView): ReadonlyArray<Html> =>
  look.found.map(({ apps, cause }, at) =>
    html`<li>${causeText(cause, onPage(view.catalogue))}${appList(apps, view)}${
      at === look.found.length - 1 ? html`<p class="muted">${lookIn(look, view)}</p>` : nothing
    }</li>`
  )

const appList = (apps: ReadonlyArray<RelatedApp>, { people }: ChecksView): Html =>
  apps.length === 0 ?
    nothing :
    html`<ul>${
      apps.map(({ id, name, ownerId, reviewed, status, wanted }) =>
        html`<li><a href="${reviewPath(id)}"><bdi>${name}</bdi></a> ${statusLabel(status)}${
          status === "approved" && !reviewed
            ? html` <span class="status pending">${text("review.checks.notReviewed")}</span>`
            : nothing
        }${wanted ? html` <span class="status pending">${text("review.checks.wantsName")}</span>` : nothing} ${
          text("review.checks.app", { owner: people.get(ownerId) ?? ownerId, id: html`<code>${id}</code>`, muted })
        }</li>`
      )
    }</ul>`

/** Box without which the app is not approved, or resumed, that users cannot tell from approved ones. */
export const twinsBox = ({ looks }: Pick<ChecksView, "looks">, act: "approve" | "resume"): Html => {
  const checks: ReadonlyArray<ReviewCheck> = foundIn(looks)
  const ids = checks.flatMap(({ acceptTwins }) => acceptTwins)
  if (ids.length === 0) return nothing
  const names = listText(
    checks.flatMap(({ apps }) => apps).filter(({ id }) => ids.includes(id)).map(({ name }) =>
      html`<bdi>“${name}”</bdi>`
    )
  )
  return html`<label class="choice"><input type="checkbox" name="acceptTwins" value="${ids.join(" ")}"><span>${
    act === "approve" ? text("review.approve.twins", { names }) : text("review.resume.twins", { names })
  }</span></label>
`
}

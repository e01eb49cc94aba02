import type { RelatedApp } from "../../core/clients/life/RelatedApp.ts"
import type { ReviewCheck } from "../../core/clients/review/ReviewCheck.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { muted, text } from "../../foundation/web/Message.ts"
import { reviewPath } from "../parts/Paths.ts"
import { statusLabel } from "../parts/StatusView.ts"
import { causeText } from "./CauseText.ts"

export interface ChecksView {
  readonly checks: ReadonlyArray<ReviewCheck>
  /** Names of the accounts that the page speaks of, by id. */
  readonly people: ReadonlyMap<string, Phrase>
}

/** Facts that a reviewer would not see by looking at the app alone. */
export const checkList = (view: ChecksView): Html =>
  html`<section aria-labelledby="checks">
<h2 id="checks">${text("review.checks")}</h2>
${
    view.checks.length === 0
      ? html`<p>${text("review.checks.nothing")}</p>`
      : html`<ul class="checks">${
        view.checks.map(({ apps, cause }) => html`<li>${causeText(cause, listOfCodes)}${appList(apps, view)}</li>`)
      }</ul>`
  }
<p class="muted">${text("review.checks.done")}
${text("review.checks.notDone")}</p>
</section>`

const listOfCodes = (items: ReadonlyArray<string>): Html => listText(items.map((item) => html`<code>${item}</code>`))

const appList = (apps: ReadonlyArray<RelatedApp>, { people }: ChecksView): Html =>
  apps.length === 0 ?
    nothing :
    html`<ul>${
      apps.map(({ id, name, ownerId, status, wanted }) =>
        html`<li><a href="${reviewPath(id)}"><bdi>${name}</bdi></a> ${statusLabel(status)}${
          wanted ? html` <span class="status pending">${text("review.checks.wantsName")}</span>` : nothing
        } ${
          text("review.checks.app", { owner: people.get(ownerId) ?? ownerId, id: html`<code>${id}</code>`, muted })
        }</li>`
      )
    }</ul>`

/** Box without which the app is not approved, or resumed, that users cannot tell from approved ones. */
export const twinsBox = ({ checks }: Pick<ChecksView, "checks">, act: "approve" | "resume"): Html => {
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

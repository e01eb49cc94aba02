import type { RelatedApp, ReviewCheck } from "../../core/clients/life/ReviewCheck.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { reviewPath } from "../parts/Paths.ts"

export interface ChecksView {
  readonly checks: ReadonlyArray<ReviewCheck>
  /** Names of the accounts that the page speaks of, by id. */
  readonly people: ReadonlyMap<string, Phrase>
}

/** Facts that a reviewer would not see by looking at the app alone. */
export const checkList = (view: ChecksView): Html =>
  html`<section aria-labelledby="checks">
<h2 id="checks">Checks</h2>
${
    view.checks.length === 0
      ? html`<p>Nothing stands out.</p>`
      : html`<ul class="checks">${
        view.checks.map((check) => html`<li>${check.cause}${appList(check.apps, view)}</li>`)
      }</ul>`
  }
<p class="muted">Looked at: its name, beside those of all other apps; the addresses that codes go to, beside its website; its owner's other apps.
Not looked at: what it may do, what it is for, and what its website says. That is for you to judge.</p>
</section>`

const appList = (apps: ReadonlyArray<RelatedApp>, { people }: ChecksView): Html =>
  apps.length === 0 ?
    nothing :
    html`<ul>${
      apps.map(({ id, name, ownerId, status, wanted }) =>
        html`<li><a href="${reviewPath(id)}">${name}</a> <span class="status ${status}">${status}</span>${
          wanted ? html` <span class="status pending">wants this name</span>` : nothing
        } <span class="muted">of ${people.get(ownerId) ?? ownerId}, <code>${id}</code></span></li>`
      )
    }</ul>`

/** Box without which the app is not approved, or resumed, that users cannot tell from approved ones. */
export const twinsBox = ({ checks }: Pick<ChecksView, "checks">, what: "Approve" | "Resume"): Html => {
  const ids = checks.flatMap(({ acceptTwins }) => acceptTwins)
  if (ids.length === 0) return nothing
  const names = checks.flatMap(({ apps }) => apps).filter(({ id }) => ids.includes(id)).map(({ name }) => `“${name}”`)
  return html`<label class="choice"><input type="checkbox" name="acceptTwins" value="${
    ids.join(" ")
  }"><span>${what} all the same: I know that users cannot tell it from ${names.join(", ")}.</span></label>
`
}

import { differences } from "../../core/clients/life/ChangeDiff.ts"
import { type NextStep, nextStep } from "../../core/clients/life/NextStep.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { differenceTable } from "../parts/ChangeDiffView.ts"
import { appPath, appTabPath, migrationPath, ownersPath } from "../parts/Paths.ts"
import { waitingView } from "../parts/WaitingView.ts"
import type { OverviewState } from "./OverviewState.ts"
import { testStep } from "./TestStepView.ts"
import { openQuestion } from "./ThreadView.ts"

/** Card with what the owner does next, or waits for (`NextStep`). */
export const nextStepCard = (view: OverviewState): Html => {
  const step = nextStep(view.client, view.figures)
  return notice(
    calm.has(step) ? "note" : "warning",
    html`<h2 id="next">${text(`appNext.${step}`)}</h2>
${alert(view.form === "review" ? view.problem : undefined)}
${cards[step](view)}`,
    html` role="region" aria-labelledby="next"`
  )
}

/** What an owner need not do anything about. */
const calm: ReadonlySet<NextStep> = new Set(["pending", "change-waiting", "token", "none"])

const cards: Readonly<Record<NextStep, (view: OverviewState) => Html>> = {
  answer: (view) => html`${view.client.status === "suspended" ? suspension(view) : nothing}${openQuestion(view)}`,
  suspended: (view) =>
    html`${suspension(view)}
<p>${text("app.suspended.remedy")}</p>`,
  rejected: (view) =>
    html`<p>${text("app.rejected")}</p><blockquote>${view.client.rejectionReason}</blockquote>
<p>${text("appNext.rejected.fix")}</p>
<div class="actions">${button(appTabPath(view.client.id, "settings"), text("appNext.fix"))}${
      action(view, "resubmit", text("app.resubmit"))
    }</div>`,
  pending: ({ client, hasTestApps, visitor, waiting }) =>
    html`<p>${text("app.pending", { since: dateText(client.submittedAt, visitor.account) })}</p>
${waitingView(waiting)}
<p>${text("appNext.pending.meanwhile", { link: link(appTabPath(client.id, "credentials")) })}</p>
${testStep({ client, hasTestApps })}`,
  "change-rejected": (view) =>
    html`<p>${text("app.changeRejected")}${worksMeanwhile(view)}</p>
<blockquote>${view.client.change?.rejectionReason}</blockquote>
${button(appTabPath(view.client.id, "settings"), text("appNext.fixChange"))}`,
  "change-waiting": (view) =>
    html`<p>${
      text("app.changeWaiting", {
        since: dateText((view.client.change ?? view.client).submittedAt, view.visitor.account)
      })
    }${worksMeanwhile(view)}</p>
${waitingView(view.waiting)}`,
  addresses: ({ client }) =>
    html`<p>${text("appNext.addresses.about")}</p>
${button(appTabPath(client.id, "settings"), text("appNext.addresses.replace"))}`,
  scopes: ({ client }) => html`<p>${text("app.legacy", { link: link(migrationPath(client.id)) })}</p>`,
  token: ({ client }) =>
    html`<p>${text("appNext.token.about", { link: link(`${appTabPath(client.id, "credentials")}#connect`) })}</p>
${button(`/playground?app=${client.id}`, text("appNext.token.try"))}`,
  none: ({ client }) => html`<p>${text("appNext.none.about", { link: link(`/playground?app=${client.id}`) })}</p>`
}

/** Change that waits or was rejected, which is taken back here whatever the next step is. */
export const changeDetails = (view: OverviewState): Html => {
  const { change } = view.client
  return change === null
    ? nothing
    : html`<details><summary>${text(change.isWaiting ? "appNext.change.waiting" : "appNext.change.rejected")}</summary>
${change.isTransfer ? html`<p>${text("owners.link", { link: link(ownersPath(view.client.id)) })}</p>` : nothing}
${
      change.isTransfer && change.isWaiting && differences(view.client, change).length === 0
        ? nothing
        : html`${differenceTable(view.client, change)}
${action(view, "withdraw", text(change.isWaiting ? "app.withdrawChange" : "app.discardChange"))}`
    }
</details>`
}

const suspension = ({ client }: OverviewState): Html =>
  html`<p>${text("app.suspended")}</p><blockquote>${client.rejectionReason}</blockquote>`

const worksMeanwhile = ({ client }: OverviewState): Html =>
  client.status === "suspended" ? nothing : html` ${text("app.approvedWorks")}`

const button = (href: string, label: Phrase): Html => html`<a href="${href}" class="button">${label}</a>`

const action = ({ client, visitor }: OverviewState, act: "resubmit" | "withdraw", label: Phrase): Html =>
  html`<form method="post" action="${appPath(client.id)}/${act}">${
    csrfField(visitor.viewer)
  }<button class="secondary">${label}</button></form>`

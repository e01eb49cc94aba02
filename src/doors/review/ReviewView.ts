import type { Account } from "../../core/accounts/people/Account.ts"
import type { ClientDocument } from "../../core/clients/documents/ClientDocuments.ts"
import type { RegistrationFacts } from "../../core/clients/dynamic/RegistrationRecord.ts"
import { isObjection, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { decidedScopes } from "../../core/clients/review/DecidedScopes.ts"
import type { OwnerRecord } from "../../core/clients/review/OwnerRecord.ts"
import type { ReviewWish } from "../../core/clients/review/ReviewWish.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import type { TrailEntry } from "../parts/AuditTrailView.ts"
import { byKey, keysFold } from "../parts/KeysView.ts"
import { lossText } from "../parts/LossesView.ts"
import { migrationFindings, usageIn } from "../parts/MigrationFindingsView.ts"
import { reviewPath } from "../parts/Paths.ts"
import { dangerText, riskText, summaryText } from "../parts/RiskText.ts"
import { statusView } from "../parts/StatusView.ts"
import { askedAgainstUsed, type AskedUseView } from "./AskedUseView.ts"
import { changeSection } from "./ChangeInWordsView.ts"
import { decidedBefore, type DecidedBeforeView, reviewPathFrom } from "./DecidedBeforeView.ts"
import { documentHost, documentSection } from "./DocumentSection.ts"
import { lateDecision } from "./LateDecisionView.ts"
import { previewFrame, previewPath } from "./RedirectHostsView.ts"
import { registrationSection } from "./RegistrationSection.ts"
import { checkList } from "./ReviewChecksView.ts"
import { decisions, type DecisionsView, savesScopes } from "./ReviewDecisionsView.ts"
import { facts } from "./ReviewFactsView.ts"
import { timeline } from "./TimelineView.ts"
import { undoNotice } from "./UndoView.ts"

export interface ReviewView extends AskedUseView, DecisionsView, DecidedBeforeView {
  readonly owner: Account | undefined
  readonly record: OwnerRecord
  /** What users have told of the app, the latest first. */
  readonly reports: ReadonlyArray<TrailEntry>
  /** Number of those that no reviewer has dealt with. */
  readonly openReports: number
  /** What people who wait for the decision have written, the first first. */
  readonly wishes: ReadonlyArray<ReviewWish>
  /** Number of all who wait. */
  readonly openWishes: number
  /** Document by which the app describes itself. */
  readonly document: ClientDocument | undefined
  /** What the app said when it registered by itself; none of an app that did not. */
  readonly registration: RegistrationFacts | undefined
  /** App to look at after this one. */
  readonly next: ManagedClient | undefined
}

/**
 * An app for its reviewer: what is dangerous about it, the decision beside it, and below it all there is to know. On a
 * narrow screen, and for those who hear the page, the decision comes between the two.
 */
export const reviewBody = (view: ReviewView): Html => {
  const { client, failed } = view
  return html`<div class="heading"><p><a href="/review">${text("review.queue")}</a></p>${neighbours(view)}</div>
${decidedBefore(view)}
<div class="heading"><div>${documentHost(client)}<h1>${client.name}</h1></div><p>${statusView(client)}</p></div>
${undoNotice(view)}
${alert(failed !== undefined && isObjection(failed.problem) ? text("review.objection") : failed?.problem)}
${lateDecision(view)}
<div class="desk">
${verdict(view)}
${decisions(view)}
<div class="about">
${documentSection(view)}
${registrationSection(view)}
${reported(view)}
${wished(view)}
${changeSection(view)}
${checkList(view)}
${preview(client)}
${migration(view)}
${facts(view)}
${timeline(view)}
</div>
</div>
${keysFold(text("keys.app"))}`
}

/** Ways to the app that the reviewer comes from, and to the next one that waits. */
const neighbours = ({ client, from, next }: ReviewView): Html =>
  html`<p>${
    from === undefined
      ? nothing
      : html`<a href="${reviewPath(from)}" rel="prev"${byKey("k")}>${text("review.previous")}</a> · `
  }${
    next === undefined
      ? text("review.nothingElse")
      : html`<a href="${reviewPathFrom(client.id, next.id)}" rel="next"${byKey("j")}>${
        text("review.next", { app: html`<bdi>${next.name}</bdi>` })
      }</a>`
  }</p>`

/** What the decision is about, in the words of the consent page: the risk, and the worst that the app may do. */
const verdict = (view: ReviewView): Html => {
  const { catalogue, client, thread, visitor: { account } } = view
  const judgement = judge(catalogue, decidedScopes(client))
  const { danger, risk } = judgement
  return html`<section class="verdict" aria-labelledby="verdict">
<h2 id="verdict">${
    text(client.change?.isWaiting === true ? "verdict.change" : "verdict", { risk: riskText(risk) })
  }</h2>
<div class="danger risk-${risk}">${danger === undefined ? nothing : html`<p>${dangerText(catalogue, danger)}</p>`}
<p>${summaryText(judgement)}</p></div>
${askedAgainstUsed(view)}
${thread.isAsked ? notice("note", html`<p>${text("thread.asked")}</p>`) : nothing}
${
    client.isWaiting && !thread.isAsked
      ? html`<p class="muted">${
        text("verdict.since", { at: dateText(client.change?.submittedAt ?? client.submittedAt, account) })
      }</p>`
      : nothing
  }
</section>`
}

/** The consent page in a frame that may do nothing: no form, no script, no other window. */
const preview = ({ id }: ManagedClient): Html =>
  html`<section aria-labelledby="preview">
<h2 id="preview">${text("preview")}</h2>
<iframe class="preview" name="${previewFrame}" src="${previewPath(id)}" title="${
    text("preview.title")
  }" sandbox loading="lazy"></iframe>
</section>`

const reported = ({ client, openReports, reports, visitor: { account, viewer } }: ReviewView): Html =>
  reports.length === 0 ? nothing : html`<section aria-labelledby="reports">
<h2 id="reports">${text("review.reports")}</h2>
${notice("warning", html`<p>${text("review.reports.count", { count: reports.length })}</p>`)}
<ul>${
    reports.map((entry) =>
      html`<li class="lines">${String(entry.details["reason"])} <span class="muted">${entry.by}, ${
        dateText(entry.at, account)
      }</span></li>`
    )
  }</ul>
${
    openReports === 0 ? nothing : html`<form method="post" action="${reviewPath(client.id)}/settle-reports">
${csrfField(viewer)}
<p>${text("review.reports.settle.what")}</p>
<button class="secondary">${text("review.reports.settle", { count: openReports })}</button>
</form>`
  }
</section>`

/** People who wait for the decision, and what they want to use the app for. */
const wished = ({ openWishes, people, visitor: { account }, wishes }: ReviewView): Html =>
  wishes.length === 0 ? nothing : html`<section aria-labelledby="wishes">
<h2 id="wishes">${text("review.wishes")}</h2>
${
    notice(
      "note",
      html`<p>${text("review.wishes.count", { count: openWishes })} ${text("review.wishes.read")}</p>`
    )
  }
<ul>${
    wishes.map(({ askedAt, reason, userId }) =>
      html`<li class="lines">${reason} <span class="muted">${people.get(userId) ?? userId}, ${
        dateText(askedAt, account)
      }</span></li>`
    )
  }</ul>
${
    openWishes > wishes.length
      ? html`<p class="muted">${text("review.wishes.more", { count: openWishes - wishes.length })}</p>`
      : nothing
  }
</section>`

/** Requests of a legacy app, and those that the scopes which wait would break. */
const migration = ({ catalogue, client, migration: state, now, visitor: { account } }: ReviewView): Html => {
  if (state === null || state.audit === null) return nothing
  const { audit } = state
  const losses = savesScopes(client) ? lossesOf(catalogue, usageIn(state, audit), client.change?.scopes ?? []) : []
  return html`<section aria-labelledby="migration">
<h2 id="migration">${text("review.migration")}</h2>
${
    losses.length === 0
      ? nothing
      : notice(
        "warning",
        html`<p><strong>${text("review.losses")}</strong></p><ul>${
          losses.map((loss) => html`<li>${lossText(catalogue, loss)}</li>`)
        }</ul>`
      )
  }
${migrationFindings({ account, audit, now, state })}
</section>`
}

import type { DateTime } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Thread } from "../../core/clients/review/ReviewDesk.ts"
import type { OwnerMessage } from "../../core/clients/review/ReviewMessage.ts"
import type { Usage } from "../../core/grants/Usage.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { differenceTable } from "../parts/ChangeDiffView.ts"
import { appPath, migrationPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { Problem } from "./AppRoutes.ts"
import { ownerThread } from "./ThreadView.ts"

export interface OverviewView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly thread: Thread<OwnerMessage>
  readonly usage: Usage
  readonly lastRefusedAt: DateTime.Utc | undefined
  /** Problem with a form of the page, and which form it was. */
  readonly problem?: Problem | undefined
  readonly form?: "review" | "answer"
  readonly answer?: string
}

export const overviewBody = (view: OverviewView): Html =>
  html`${alert(view.form === "review" ? view.problem : undefined)}
${stateNotice(view)}
${
    ownerThread({
      id: view.client.id,
      visitor: view.visitor,
      thread: view.thread,
      problem: view.form === "answer" ? view.problem : undefined,
      answer: view.answer ?? ""
    })
  }
${migrationNotice(view.client)}
${figures(view)}`

const figures = ({ client, lastRefusedAt, usage, visitor }: OverviewView): Html => {
  const figure = (name: Html, value: Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`
  const words = (phrase: Html) => html`<small>${phrase}</small>`
  const shown = (at: DateTime.Utc) => words(dateText(at, visitor.account))
  return html`<dl class="figures">
${
    figure(
      text("app.users"),
      usage.isComplete
        ? forReader(({ language }) => language.number(usage.users))
        : words(text("app.users.atLeast", { users: usage.users }))
    )
  }${
    usage.isComplete
      ? figure(
        text("app.authorized"),
        usage.authorizedAt === null
          ? words(text(usage.users === 0 ? "app.authorized.never" : "app.authorized.before"))
          : shown(usage.authorizedAt)
      )
      : nothing
  }${
    figure(text("app.refusal"), lastRefusedAt === undefined ? words(text("app.refusal.none")) : shown(lastRefusedAt))
  }${
    figure(text("app.kind"), words(text(client.legacy ? `app.kind.legacy.${client.kind}` : `apps.kind.${client.kind}`)))
  }</dl>`
}

const stateNotice = (view: OverviewView): Html => {
  const { change, id, rejectionReason, status, submittedAt } = view.client
  const { account } = view.visitor
  if (status === "pending") {
    return notice("note", html`<p>${text("app.pending", { since: dateText(submittedAt, account) })}</p>`)
  }
  if (status === "rejected") {
    return notice(
      "warning",
      html`<p>${text("app.rejected")}</p><blockquote>${rejectionReason}</blockquote>
<p>${text("app.rejected.remedy")}</p>
${action(view, `${appPath(id)}/resubmit`, text("app.resubmit"))}`
    )
  }
  return html`${
    status === "suspended"
      ? notice(
        "warning",
        html`<p>${text("app.suspended")}</p><blockquote>${rejectionReason}</blockquote>
<p>${text("app.suspended.remedy")}</p>`
      )
      : nothing
  }${
    change === null
      ? nothing
      : notice(
        change.isWaiting ? "note" : "warning",
        html`<p>${
          change.isWaiting
            ? text("app.changeWaiting", { since: dateText(change.submittedAt, account) })
            : text("app.changeRejected")
        }${status === "suspended" ? nothing : html` ${text("app.approvedWorks")}`}</p>
${change.isWaiting ? nothing : html`<blockquote>${change.rejectionReason}</blockquote>`}
${differenceTable(view.client, change)}
${
          action(
            view,
            `${appPath(id)}/withdraw`,
            text(change.isWaiting ? "app.withdrawChange" : "app.discardChange")
          )
        }`
      )
  }`
}

const migrationNotice = ({ id, legacy, migratedAt }: ManagedClient): Html =>
  legacy
    ? notice("warning", html`<p>${text("app.legacy", { link: link(migrationPath(id)) })}</p>`)
    : migratedAt === null
    ? nothing
    : html`<p class="muted">${text("app.migrated", { link: link(migrationPath(id)) })}</p>`

const action = ({ visitor }: OverviewView, path: string, label: Phrase): Html =>
  html`<form method="post" action="${path}">${
    csrfField(visitor.viewer)
  }<button class="secondary">${label}</button></form>`

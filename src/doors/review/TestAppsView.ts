import { Option } from "effect"
import type { ListedTestApp } from "../../core/clients/testapps/ListedTestApp.ts"
import type { TestAppOverview } from "../../core/clients/testapps/TestAppDecision.ts"
import { confirmation } from "../../foundation/web/Confirmation.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import { noticeOf } from "../../foundation/web/Notice.ts"
import { reviewPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"

interface TestAppsView {
  readonly visitor: Visitor
  readonly overview: TestAppOverview
  readonly names: ReadonlyMap<string, Phrase>
}

export const testAppsPath = "/review/tests"

/** What is decided about test apps on this server, and those that there are. */
export const testAppsBody = (view: TestAppsView): Html => {
  const { overview: { tests, total }, visitor } = view
  return html`<p><a href="/review">${text("review")}</a></p>
<h1>${text("testApps")}</h1>
${noticeOf(visitor.notice)}
<p>${text("testApps.about")}</p>
${decision(view)}
<h2 id="tests">${text("testApps.all", { count: total })}</h2>
${
    tests.length === 0
      ? html`<p class="empty">${text("testApps.none")}</p>`
      : html`<div class="overflow-auto"><table aria-labelledby="tests">
<thead><tr><th scope="col">${text("testApps.app")}</th><th scope="col">${text("testApps.owner")}</th><th scope="col">${
        text("testApps.guests")
      }</th><th scope="col">${text("testApps.lastUsed")}</th><td></td></tr></thead>
<tbody>
${tests.map((test) => row(view, test))}
</tbody></table></div>
${total > tests.length ? html`<p class="muted">${text("testApps.latest", { count: tests.length })}</p>` : nothing}`
  }`
}

/** Asks before all test apps end. */
export const stopBody = ({ viewer }: Visitor, total: number): Html =>
  confirmation({
    question: text("testApps.stop.question"),
    consequences: html`<p>${text("testApps.stop.consequences", { count: total })}</p>`,
    action: `${testAppsPath}/stop`,
    button: text("testApps.stop"),
    back: testAppsPath,
    viewer
  })

const decision = ({ names, overview: { isOn, stopped }, visitor: { account, viewer } }: TestAppsView): Html =>
  !isOn
    ? html`<p>${text("testApps.isOff", { setting: html`<code>TEST_APPS</code>` })}</p>`
    : Option.match(stopped, {
      onNone: () =>
        html`<p>${text("testApps.isOn", { setting: html`<code>TEST_APPS</code>` })}</p>
<p class="actions"><a href="${testAppsPath}/stop" class="button danger">${text("testApps.stop")}</a></p>`,
      onSome: ({ at, by }) =>
        html`<p>${text("testApps.isStopped", { at: dateText(at, account), by: names.get(by) ?? by })}</p>
<form method="post" action="${testAppsPath}/allow">${csrfField(viewer)}<button class="secondary">${
          text("testApps.allow")
        }</button></form>`
    })

const row = ({ names, visitor: { account, viewer } }: TestAppsView, test: ListedTestApp): Html =>
  html`<tr><th scope="row"><a href="${reviewPath(test.testOf)}"><bdi>${test.name}</bdi></a>${
    test.status === "approved" ? nothing : html`<small class="muted">${text("testApps.still")}</small>`
  }</th><td data-label="${text("testApps.owner")}">${names.get(test.ownerId) ?? test.ownerId}</td><td data-label="${
    text("testApps.guests")
  }">${
    test.guests.length === 0
      ? "–"
      : test.guests.map((id, at) => html`${at === 0 ? "" : ", "}${names.get(id) ?? id}`)
  }</td><td data-label="${text("testApps.lastUsed")}">${
    test.lastTokensAt === null ? text("testApps.neverUsed") : dateText(test.lastTokensAt, account)
  }</td><td><form method="post" action="${testAppsPath}/${encodeURIComponent(test.id)}/end">${
    csrfField(viewer)
  }<button class="link">${text("testApps.end", { app: test.name, hidden })}</button></form></td></tr>`

import { DateTime, Duration } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Usage } from "../../core/clients/life/LegacyUsage.ts"
import { isTooEarly, observation } from "../../core/clients/life/ScopeLosses.ts"
import type { MigrationAudit } from "../../core/legacy/migration/MigrationAudit.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import { dateText, durationText, shortDateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { choiceText, listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import { callsText } from "./LegacyCallsText.ts"
import { verdictText } from "./VerdictText.ts"

/** Progress of a legacy app on its way to scopes, for its owner and for its reviewer. */
export const migrationFindings = (
  { account, audit, now, state }: {
    readonly account: Account
    readonly audit: MigrationAudit
    readonly now: DateTime.Utc
    readonly state: MigrationState
  }
): Html => {
  const usage = usageIn(state, audit)
  const { days, lastUnscopedAt: lastAt, scopedRequests, unscopedGrants, unscopedRequests: requests } = audit
  const unscoped = lastAt === null
    ? requests
    : text("findings.unscoped.lastAt", { requests, at: dateText(lastAt, account) })
  return html`<p><strong>${verdictText(audit.verdict, unscopedGrants)}</strong></p>
${callsText(state, now)}
${state.legacy && isTooEarly(usage, now) ? progress(usage, now) : nothing}
<div class="overflow-auto"><table aria-label="${text("findings")}">
<tbody>
${row(text("findings.unscoped", { days }), unscoped)}
${row(text("findings.scoped", { days }), scopedRequests)}
${ignoredWords(state, account)}
${row(text("findings.grants"), unscopedGrants)}
${row(text("findings.unrotated"), state.unrotatedGrants)}
${refusals(state, account)}
</tbody></table></div>
${state.seen.length === 0 ? html`<p>${text("findings.seen.nothing")}</p>` : seen(state, days)}
${state.refusedCalls.length === 0 ? nothing : refusedCalls(state, days, account)}`
}

const row = (label: Phrase, value: Html | number): Html => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`

/** Use of the app as the rules of saving scopes read it. */
export const usageIn = (
  { calls, ignoredWords, observation, seen }: MigrationState,
  { days, unscopedRequests }: MigrationAudit
): Usage => ({
  days,
  unscopedRequests,
  scopes: seen,
  uncoveredCalls: calls.uncovered,
  knowsCalls: calls.blindness === null,
  words: ignoredWords,
  observedSince: observation.since,
  observedUntil: observation.until
})

const ignoredWords = ({ ignoredWords }: MigrationState, account: Account): Html =>
  ignoredWords.length === 0 ? nothing : row(
    text("findings.words", { parameter: html`<code>scope</code>` }),
    html`<ul>${
      ignoredWords.map(({ lastAt, requests, word }) =>
        html`<li>${
          text("findings.word", { word: html`<code>${word}</code>`, requests, at: dateText(lastAt, account) })
        }</li>`
      )
    }</ul>`
  )

const progress = (usage: Usage, now: DateTime.Utc): Html => {
  const since = usage.observedSince.epochMilliseconds
  const { all, done, unit } = observation(usage, now)
  return html`<p><label for="observed">${
    text("findings.observed", { done, all: durationText(unit === "day" ? Duration.days(all) : Duration.hours(all)) })
  }</label></p>
<progress id="observed" value="${now.epochMilliseconds - since}" max="${
    usage.observedUntil.epochMilliseconds - since
  }"></progress>`
}

const seen = ({ seen }: MigrationState, days: number): Html => {
  const [requested, called] = [text("findings.seen.requests"), text("findings.seen.calls")]
  return html`<div class="overflow-auto"><table>
<caption>${text("findings.seen", { days })}</caption>
<thead><tr><th scope="col">${
    text("findings.seen.scope")
  }</th><th scope="col">${requested}</th><th scope="col">${called}</th></tr></thead>
<tbody>
${
    seen.map(({ and = [], calls, or = [], requests, scope }) =>
      html`<tr><th scope="row">${
        (or.length > 0 ? choiceText : listText)([scope, ...and, ...or].map((name) => html`<code>${name}</code>`))
      }</th><td data-label="${requested}">${requests}</td><td data-label="${called}">${calls}</td></tr>\n`
    )
  }</tbody></table></div>`
}

const refusedCalls = ({ refusedCalls }: MigrationState, days: number, account: Account): Html => {
  const [because, calls, last] = [
    text("findings.refused.because"),
    text("findings.refused.calls"),
    text("findings.refused.last")
  ] as const
  return html`<div class="overflow-auto"><table>
<caption>${text("findings.refused", { days })}</caption>
<thead><tr><th scope="col">${
    text("findings.refused.operation")
  }</th><th scope="col">${because}</th><th scope="col">${calls}</th><th scope="col">${last}</th></tr></thead>
<tbody>
${
    refusedCalls.map(({ cause, lastDay, operation, requests }) =>
      html`<tr><th scope="row">${
        operation === null ? text("findings.refused.anyOther") : html`<code>${operation}</code>`
      }</th><td data-label="${because}">${
        text(`findings.cause.${cause}`)
      }</td><td data-label="${calls}">${requests}</td><td data-label="${last}">${
        shortDateText(DateTime.makeUnsafe(lastDay), { ...account, timeZone: "UTC" })
      }</td></tr>\n`
    )
  }</tbody></table></div>`
}

const refusals = ({ migratedAt, refused }: MigrationState, account: Account): Html => {
  if (migratedAt === null || refused === null) return nothing
  const { lastAt, refusedCalls, refusedScopes, requests, supersededGrants, withoutScope } = refused
  const parts = [
    withoutScope > 0 ? [text("findings.refusals.withoutScope", { requests: withoutScope })] : [],
    refusedScopes > 0 ? [text("findings.refusals.scopes", { requests: refusedScopes })] : [],
    refusedCalls > 0 ? [text("findings.refusals.calls", { calls: refusedCalls })] : [],
    supersededGrants > 0 ? [text("findings.refusals.grants", { refreshes: supersededGrants })] : []
  ].flat()
  return row(
    text("findings.refusals", { at: dateText(migratedAt, account) }),
    html`${lastAt === null ? requests : text("findings.refusals.lastAt", { requests, at: dateText(lastAt, account) })}${
      parts.length === 0 ? nothing : html`<ul>${parts.map((part) => html`<li>${part}</li>`)}</ul>`
    }`
  )
}

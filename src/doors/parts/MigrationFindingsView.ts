import type { DateTime } from "effect"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { Usage } from "../../core/clients/life/LegacyUsage.ts"
import { isTooEarly, observation } from "../../core/clients/life/ScopeLosses.ts"
import type { MigrationAudit } from "../../core/legacy/migration/MigrationAudit.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import { verdictText } from "../../core/legacy/migration/MigrationVerdict.ts"
import type { CallRefusal } from "../../core/legacy/migration/RefusedCall.ts"
import { counted } from "../../domain/Counted.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"

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
  const at = (instant: DateTime.Utc | null) =>
    instant === null ? nothing : html`, the last ${dateText(instant, account)}`
  const row = (label: string, value: Html | number) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`
  return html`<p><strong>${verdictText(audit.verdict, audit.unscopedGrants)}</strong></p>
${state.legacy && isTooEarly(usage, now) ? progress(usage, now) : nothing}
<div class="overflow-auto"><table>
<tbody>
${row(`Requests without scope, last ${audit.days} days`, html`${audit.unscopedRequests}${at(audit.lastUnscopedAt)}`)}
${row(`Requests with scope, last ${audit.days} days`, audit.scopedRequests)}
${ignoredWords(state, account)}
${row("Old grants, which nothing restricts", audit.unscopedGrants)}
${row("Installations that still send the refresh token of the server before, or none", state.unrotatedGrants)}
${refusals(state, (instant) => dateText(instant, account))}
</tbody></table></div>
${
    state.seen.length === 0
      ? html`<p>No request named a scope, and no API call needed one.</p>`
      : seen(state, audit.days)
  }
${state.refusedCalls.length === 0 ? nothing : refusedCalls(state, audit.days, account)}`
}

/** Use of the app as the rules of saving scopes read it. */
export const usageIn = (
  { ignoredWords, observation, seen }: MigrationState,
  { days, unscopedRequests }: MigrationAudit
): Usage => ({
  days,
  unscopedRequests,
  scopes: seen,
  words: ignoredWords,
  observedSince: observation.since,
  observedUntil: observation.until
})

const ignoredWords = ({ ignoredWords }: MigrationState, account: Account): Html =>
  ignoredWords.length === 0
    ? nothing
    : html`<tr><th scope="row">Words in <code>scope</code> that are no scopes here, ignored until you save and refused from then on</th><td><ul>${
      ignoredWords.map(({ lastAt, requests, word }) =>
        html`<li><code>${word}</code> in ${counted(requests, "request")}, the last ${dateText(lastAt, account)}</li>`
      )
    }</ul></td></tr>`

const progress = (usage: Usage, now: DateTime.Utc): Html => {
  const since = usage.observedSince.epochMilliseconds
  return html`<p><label for="observed">Observed for ${
    observation(usage, now)
  }. What was not seen yet may still come.</label></p>
<progress id="observed" value="${now.epochMilliseconds - since}" max="${
    usage.observedUntil.epochMilliseconds - since
  }"></progress>`
}

const seen = ({ seen }: MigrationState, days: number): Html =>
  html`<div class="overflow-auto"><table>
<caption>Scopes that were seen, last ${days} days</caption>
<thead><tr><th scope="col">Scope</th><th scope="col">Requests that named it</th><th scope="col">API calls that needed it</th></tr></thead>
<tbody>
${
    seen.map(({ calls, or = [], requests, scope }) =>
      html`<tr><th scope="row"><code>${scope}</code>${
        or.map((other) => html` or <code>${other}</code>`)
      }</th><td data-label="Requests that named it">${requests}</td><td data-label="API calls that needed it">${calls}</td></tr>\n`
    )
  }</tbody></table></div>`

const refusedCalls = ({ refusedCalls }: MigrationState, days: number, account: Account): Html =>
  html`<div class="overflow-auto"><table>
<caption>API calls that were refused, last ${days} days</caption>
<thead><tr><th scope="col">Operation</th><th scope="col">Refused because</th><th scope="col">Calls</th><th scope="col">Last</th></tr></thead>
<tbody>
${
    refusedCalls.map(({ cause, lastAt, operation, requests }) =>
      html`<tr><th scope="row">${
        operation === null ? "any other" : html`<code>${operation}</code>`
      }</th><td data-label="Refused because">${
        causes[cause]
      }</td><td data-label="Calls">${requests}</td><td data-label="Last">${dateText(lastAt, account)}</td></tr>\n`
    )
  }</tbody></table></div>`

const causes: Readonly<Record<CallRefusal, string>> = {
  insufficient_scope: "the token lacked the scope",
  closed: "it is closed to apps, or to tokens with scopes",
  unlisted: "there is no such operation for apps",
  malformed: "its path can be read in several ways"
}

const refusals = ({ migratedAt, refused }: MigrationState, at: (instant: DateTime.Utc) => Html): Html => {
  if (migratedAt === null || refused === null) return nothing
  const parts = [
    [refused.withoutScope, "requests without scope"],
    [refused.refusedScopes, "requests with a scope that is not saved, or unknown"],
    [refused.refusedCalls, "API calls for want of a scope"],
    [refused.supersededGrants, "refreshes of old grants, which ended when their user authorized the app again"]
  ] as const
  return html`<tr><th scope="row">Refused since scopes were saved, ${at(migratedAt)}</th><td>${refused.requests}${
    refused.lastAt === null ? nothing : html`, the last ${at(refused.lastAt)}`
  }${
    refused.requests === 0
      ? nothing
      : html`<ul>${parts.map(([count, what]) => count === 0 ? nothing : html`<li>${count} ${what}</li>`)}</ul>`
  }</td></tr>`
}

import type { DateTime } from "effect"
import { isObjection, isTooEarly, lossesOf } from "../../core/clients/life/ScopeLosses.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { MigrationAudit } from "../../core/legacy/migration/MigrationAudit.ts"
import type { MigrationState } from "../../core/legacy/migration/MigrationState.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { inLanguage } from "../../domain/files/Words.ts"
import { inQuotes } from "../../domain/Text.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { forReader, type Html, html, nothing } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { code, strong, text } from "../../foundation/web/Message.ts"
import { focused, notice, noticeOf } from "../../foundation/web/Notice.ts"
import { rehearsalText } from "../parts/LegacyCallsText.ts"
import { lossText, lossTexts } from "../parts/LossesView.ts"
import { migrationFindings, usageIn } from "../parts/MigrationFindingsView.ts"
import { appPath, migrationPath, rehearsalPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import { scopePicker } from "./ScopePickerView.ts"

export interface MigrationView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly state: MigrationState
  readonly now: DateTime.Utc
  /** True where the scopes that were chosen in the form were tried. */
  readonly rehearsed?: boolean
  /** Problem with the form, the scopes that were chosen in it, and the version of the app that it was for. */
  readonly problem?: BadRequest | Conflict
  readonly entered?: ReadonlyArray<string>
  readonly version?: number
}

export const migrationBody = (view: MigrationView): Html => {
  const { client, state } = view
  return html`<p><a href="${appPath(client.id)}"><bdi>${client.name}</bdi></a></p>
<h1>${text("toScopes")}</h1>
${noticeOf(view.visitor.notice)}
${alert(problemOf(view))}
${
    state.audit === null
      ? html`<p>${text("toScopes.nothing")}</p>`
      : findings(view, state.audit)
  }
${state.legacy ? saving(view) : nothing}
${state.undoUntil === null ? nothing : undoing(view, state.undoUntil)}`
}

/** Refusal of scopes that would break what was seen, in the words of the page. */
const problemOf = (
  { catalogue, entered = [], now, problem, state }: MigrationView
): BadRequest | Conflict | Html | undefined =>
  problem === undefined || state.audit === null || !isObjection(problem)
    ? problem
    : lossTexts(catalogue, usageIn(state, state.audit), entered, now)

/** Headings of the levels whose scopes are reviewed, whatever the app, as the picker has them. */
const reviewedLevels = ({ file }: Catalogue): ReadonlyArray<Html> =>
  file.levels.flatMap(({ reviewAlways = false, title }) =>
    reviewAlways ? [forReader(({ language }) => inQuotes(inLanguage(title, language.tag)))] : []
  )

const findings = ({ now, state, visitor: { account } }: MigrationView, audit: MigrationAudit): Html =>
  html`<section aria-labelledby="findings">
<h2 id="findings">${text("toScopes.findings")}</h2>
${migrationFindings({ account, audit, now, state })}
<p class="muted">${text("toScopes.oldAccess")}</p>
${state.unrotatedGrants > 0 ? unstored(state.unrotatedGrants) : nothing}
</section>`

/** Asks for what an app of a server that did not rotate has never needed: it hears of it here, before users notice. */
const unstored = (installations: number): Html =>
  notice("warning", html`<p>${text("toScopes.unstored", { installations, strong })}</p>`)

const saving = (view: MigrationView): Html => {
  const { catalogue, client, entered, now, problem, rehearsed, state, version = client.version, visitor } = view
  const { audit } = state
  const reviewed = reviewedLevels(catalogue)
  const asked = client.change?.scopes ?? []
  const { scopes: chosen } = state.rehearsal
  const isDoubtful = audit !== null &&
    (isTooEarly(usageIn(state, audit), now) || lossesOf(catalogue, usageIn(state, audit), chosen).length > 0)
  return html`<section aria-labelledby="saving">
<h2 id="saving">${text("toScopes.save")}</h2>
<ol>
<li>${text("toScopes.save.first", { parameter: "scope", code })}</li>
<li>${text("toScopes.save.then")}</li>
</ol>
${audit === null ? nothing : warning(audit)}
${unneeded(view)}
<form method="post" action="${migrationPath(client.id)}">
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${version}">
${
    scopePicker({
      catalogue,
      chosen: entered ?? chosen,
      held: client.change?.isWaiting ? asked : [],
      now,
      faults: problem?.details ?? []
    })
  }
${
    reviewed.length === 0
      ? nothing
      : html`<p class="muted">${text("toScopes.reviewed", { levels: listText(reviewed) })}</p>`
  }
${rehearsed === true && audit !== null ? rehearsal(view, audit) : nothing}
${
    isDoubtful || (problem !== undefined && isObjection(problem))
      ? html`<label class="choice"><input type="checkbox" name="breakOldUrls" value="on"><span>${
        text("toScopes.saveAllTheSame")
      }</span></label>`
      : nothing
  }
<button>${text("toScopes.save")}</button>
<button class="secondary" formaction="${rehearsalPath(client.id)}">${text("toScopes.rehearse")}</button>
</form>
</section>`
}

/** What would have become of calls and requests with the scopes that were chosen. */
const rehearsal = ({ catalogue, state }: MigrationView, audit: MigrationAudit): Html => {
  const losses = lossesOf(catalogue, usageIn(state, audit), state.rehearsal.scopes)
  return notice(
    losses.length === 0 ? "done" : "warning",
    html`<p>${rehearsalText(state.rehearsal, state.legacy)} ${text("toScopes.rehearsed")}</p>${
      losses.length === 0
        ? nothing
        : html`<ul>${losses.map((loss) => html`<li>${lossText(catalogue, loss)}</li>`)}</ul>`
    }`,
    focused
  )
}

/** Scopes that requests name and no call needed. They are not chosen, and yet requests that name them would break. */
const unneeded = ({ catalogue, state: { calls, seen, suggested } }: MigrationView): Html => {
  const scopes = seen.filter(({ scope, ...use }) => use.calls === 0 && !catalogue.covers(suggested, scope))
  return calls.blindness !== null || scopes.length === 0 ? nothing : html`<p>${
    text("toScopes.unneeded", {
      scopes: listText(scopes.map(({ scope }) => html`<code>${scope}</code>`)),
      count: scopes.length
    })
  }</p>`
}

const warning = ({ days, scopedRequests, unscopedRequests }: MigrationAudit): Html =>
  unscopedRequests > 0
    ? notice(
      "warning",
      html`<p>${
        text("toScopes.unscoped", { requests: unscopedRequests, days, error: "invalid_scope", code, strong })
      }</p>`
    )
    : scopedRequests === 0
    ? notice("warning", html`<p>${text("toScopes.unseen", { days })}</p>`)
    : nothing

const undoing = ({ client, visitor }: MigrationView, until: DateTime.Utc): Html =>
  html`<section aria-labelledby="undoing">
<h2 id="undoing">${text("toScopes.undo")}</h2>
<p>${text("toScopes.undo.about", { until: dateText(until, visitor.account) })}</p>
<form method="post" action="${migrationPath(client.id)}/undo">
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${client.version}">
<button class="secondary">${text("toScopes.undo.button")}</button>
</form>
</section>`

import type { AppCalls, Unknown } from "../../core/clients/AppCalls.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { shortDateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { code, text } from "../../foundation/web/Message.ts"
import { unusedScopesPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { Problem } from "./AppRoutes.ts"

interface UnusedScopesView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly calls: AppCalls
  /** Problem with the form. */
  readonly problem?: Problem | undefined
}

/** Scopes that nobody uses, to be dropped in one step; nothing where there is nothing to decide. */
export const unusedSection = ({ calls: { unused }, client, problem, visitor }: UnusedScopesView): Html => {
  if (unused === null || unused.droppable.length === 0) return alert(problem)
  const { droppable, scopes, since } = unused
  const kept = scopes.filter((scope) => !droppable.includes(scope))
  const count = droppable.length
  return html`<section aria-labelledby="unused">
<h2 id="unused">${text("unused", { count })}</h2>
${alert(problem)}
<p>${text("unused.since", { count, since: shortDateText(since, visitor.account), scopes: codes(droppable) })}</p>
${kept.length === 0 ? nothing : html`<p>${text("unused.kept", { count: kept.length, scopes: codes(kept) })}</p>`}
<p class="muted">${text("unused.first", { count, scope: "scope", error: "invalid_scope", code })}</p>
<form method="post" action="${unusedScopesPath(client.id)}">
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${client.version}">
<input type="hidden" name="scopes" value="${droppable.join(" ")}">
<button>${text("unused.drop", { count })}</button>
</form>
</section>`
}

/** What is known of unused scopes where none can be dropped. What the coverage says already is not said again. */
export const unusedLine = ({ unknown, unused }: AppCalls, reader: Visitor["account"]): Html => {
  if (unused !== null && unused.scopes.length === 0) {
    return html`<p class="muted">${text("unused.none", { since: shortDateText(unused.since, reader) })}</p>`
  }
  return unknown === null ? nothing : because(unknown, reader)
}

const because = ({ knownAt, reason }: Unknown, reader: Visitor["account"]): Html =>
  knownAt !== null
    ? html`<p class="muted">${text("unused.early", { at: shortDateText(knownAt, reader) })}</p>`
    : reason === "introspected"
    ? html`<p class="muted">${text("unused.introspected")}</p>`
    : reason === "behind"
    ? html`<p class="muted">${text("unused.behind")}</p>`
    : nothing

const codes = (scopes: ReadonlyArray<ScopeName>): Html => listText(scopes.map((scope) => html`<code>${scope}</code>`))

import type { DateTime } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { appPath, appTabPath, migrationPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { AppFields } from "./AppFormView.ts"
import type { Problem } from "./AppRoutes.ts"
import { heldScopes } from "./HeldScopesView.ts"
import { scopePicker } from "./ScopePickerView.ts"

export interface ScopesView {
  readonly catalogue: Catalogue
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly now: DateTime.Utc
  /** Problem with the form, what was entered in it, and the version of the app that it was for. */
  readonly problem?: Problem
  readonly entered?: Pick<AppFields, "scopes" | "optionalScopes">
  readonly version?: number
}

export const scopesBody = (view: ScopesView): Html =>
  html`${migrationNotice(view.client)}
${heldScopes(view.catalogue, view.client)}
${view.client.legacy ? nothing : editing(view)}`

const migrationNotice = ({ id, legacy, migratedAt }: ManagedClient): Html =>
  legacy
    ? notice("warning", html`<p>${text("app.legacy", { link: link(migrationPath(id)) })}</p>`)
    : migratedAt === null
    ? nothing
    : html`<p class="muted">${text("app.migrated", { link: link(migrationPath(id)) })}</p>`

const editing = ({ catalogue, client, entered, now, problem, version, visitor }: ScopesView): Html => {
  const { change } = client
  const { optionalScopes, scopes } = entered ?? change ?? client
  return html`<section aria-labelledby="change">
<h2 id="change">${text("appScopes.change")}</h2>
${
    change === null
      ? nothing
      : html`<p>${
        text(change.isWaiting ? "appScopes.changeWaiting" : "appScopes.changeRejected", {
          link: link(appPath(client.id))
        })
      }</p>`
  }
${
    client.status === "approved" || client.status === "suspended"
      ? html`<p class="muted">${text("appScopes.reviewed")}</p>`
      : nothing
  }
${alert(problem)}
<form method="post" action="${appTabPath(client.id, "scopes")}" novalidate>
${csrfField(visitor.viewer)}
<input type="hidden" name="version" value="${version ?? client.version}">
${
    scopePicker({
      catalogue,
      chosen: scopes,
      optional: optionalScopes,
      held: change?.isWaiting ? [...client.scopes, ...change.scopes] : client.scopes,
      now,
      faults: problem?.details ?? []
    })
  }
<button>${text(client.status === "rejected" ? "app.saveAndResubmit" : "app.save")}</button>
</form>
</section>`
}

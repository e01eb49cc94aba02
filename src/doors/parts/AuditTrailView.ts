import type { Entry } from "../../core/audit/AuditLog.ts"
import { summaryItems } from "../../core/clients/life/ChangeDiff.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { inEnglish } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"
import { fieldLabels } from "./FieldLabels.ts"

/** An entry of the audit log with the name of its actor. */
export type TrailEntry = Entry & { readonly by: Phrase }

/** History of an app or a user: who did what, in these words, the newest first. */
export const auditTrail = (
  entries: ReadonlyArray<TrailEntry>,
  { account }: Visitor,
  labels: ReadonlyMap<string, Phrase>
): Html =>
  html`<section aria-labelledby="trail">
<h2 id="trail">What happened</h2>
<div class="overflow-auto"><table>
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Details</th></tr></thead>
<tbody>
${
    entries.map((entry) =>
      html`<tr><td>${dateText(entry.at, account)}</td><td class="free">${entry.by}</td><td>${
        labels.get(entry.action) ?? entry.action
      }</td><td class="lines free">${
        Object.entries(entry.details)
          .filter(([name]) => !hiddenDetails.has(name))
          .map(([name, value]) => html`${detailLabels.get(name) ?? name}: ${detail(name, value)}<br>`)
      }</td></tr>`
    )
  }
</tbody></table></div>
</section>`

/** Actions in the trail of an app; what users do with the app does not concern the reviewer. */
export const actionLabels: ReadonlyMap<string, string> = new Map([
  ["client.registered", "registered the app"],
  ["client.edited", "changed the app"],
  ["client.resubmitted", "submitted it again"],
  ["client.change_withdrawn", "took the change back"],
  ["client.approved", "approved the app"],
  ["client.rejected", "rejected the app"],
  ["client.change_approved", "approved the change"],
  ["client.change_rejected", "rejected the change"],
  ["client.rejection_undone", "took the rejection back"],
  ["client.change_rejection_undone", "took the rejection of the change back"],
  ["client.given", "gave the app to another owner"],
  ["client.suspended", "suspended the app"],
  ["client.resumed", "resumed the app"],
  ["client.imported", "imported the app"],
  ["client.logo_fetched", "fetched the logo"],
  ["client.migration_undone", "took the scopes back"],
  ["client.widened", "widened what its scopes allow"],
  ["secret.generated", "generated a secret"],
  ["secret.revoked", "revoked a secret"]
])

/** What a change removes and adds stands on lines of its own; nobody reads the digest of a picture. */
const detail = (name: string, value: Entry["details"][string]) => {
  if (name === "logoDigest") return "changed"
  if (name === "widened" && typeof value === "string") return value.split("; ").map((item) => html`<br>${item}`)
  if (!(name in fieldLabels) || typeof value !== "string") return value
  return html`${
    summaryItems(value).map((item) =>
      item.startsWith("-")
        ? html`<br><del>${breakable(item.slice(1))}</del>`
        : html`<br><ins>${breakable(item.slice(1))}</ins>`
    )
  }`
}

const detailLabels: ReadonlyMap<string, string> = new Map([
  ["lastFour", "ends in"],
  ["acceptedTwins", "although users cannot tell it from"],
  ["refreshGrace", "grace of refresh tokens"],
  ...Object.entries(fieldLabels).map(([field, label]) => {
    const name = inEnglish(label)
    return [field, name.charAt(0).toLowerCase() + name.slice(1)] as const
  })
])

const hiddenDetails: ReadonlySet<string> = new Set(["hash", "version", "secretId"])

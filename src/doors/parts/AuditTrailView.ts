import type { Entry } from "../../core/audit/AuditLog.ts"
import { summaryItems } from "../../core/clients/life/ChangeDiff.ts"
import { breakable } from "../../foundation/web/BreakableText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"
import { fieldLabels } from "./FieldLabels.ts"

/** An entry of the audit log with the name of its actor, and details that are in words already. */
export interface TrailEntry extends Omit<Entry, "details"> {
  readonly by: Phrase
  readonly details: Readonly<Record<string, Detail>>
}

/** As the log has it, or some texts, each on a line of its own. */
type Detail = Entry["details"][string] | ReadonlyArray<Phrase>

/** History of an app or a user: who did what, in these words, the newest first. */
export const auditTrail = (
  entries: ReadonlyArray<TrailEntry>,
  { account }: Visitor,
  labels: ReadonlyMap<string, Phrase>
): Html =>
  html`<section aria-labelledby="trail">
<h2 id="trail">${text("trail")}</h2>
<div class="overflow-auto"><table aria-labelledby="trail">
<thead><tr><th scope="col">${text("trail.at")}</th><th scope="col">${text("trail.by")}</th><th scope="col">${
    text("trail.action")
  }</th><th scope="col">${text("trail.details")}</th></tr></thead>
<tbody>
${
    entries.map((entry) =>
      html`<tr><td>${dateText(entry.at, account)}</td><td class="free">${entry.by}</td><td>${
        labels.get(entry.action) ?? entry.action
      }</td><td class="lines free">${entryDetails(entry)}</td></tr>`
    )
  }
</tbody></table></div>
</section>`

/** Details of an entry, each on lines of its own. */
export const entryDetails = ({ details }: Pick<TrailEntry, "details">): Html =>
  html`${
    Object.entries(details)
      .filter(([name, value]) => !hiddenDetails.has(name) && value !== "")
      .map(([name, value]) =>
        html`${text("trail.detail", { label: detailLabels.get(name) ?? name, value: detail(name, value) })}<br>`
      )
  }`

/** Actions in the trail of an app; what users do with the app does not concern the reviewer. */
export const actionLabels: ReadonlyMap<string, Phrase> = new Map([
  ["client.registered", text("trail.registered")],
  ["client.registered_itself", text("trail.registeredItself")],
  ["client.introduced", text("trail.introduced")],
  ["client.document_changed", text("trail.documentChanged")],
  ["client.edited", text("trail.edited")],
  ["client.resubmitted", text("trail.resubmitted")],
  ["client.change_withdrawn", text("trail.changeWithdrawn")],
  ["client.approved", text("trail.approved")],
  ["client.rejected", text("trail.rejected")],
  ["client.change_approved", text("trail.changeApproved")],
  ["client.change_rejected", text("trail.changeRejected")],
  ["client.rejection_undone", text("trail.rejectionUndone")],
  ["client.change_rejection_undone", text("trail.changeRejectionUndone")],
  ["client.approval_given", text("trail.approvalGiven")],
  ["client.approval_withdrawn", text("trail.approvalWithdrawn")],
  ["client.approval_undone", text("trail.approvalUndone")],
  ["client.change_approval_undone", text("trail.changeApprovalUndone")],
  ["client.suspension_undone", text("trail.suspensionUndone")],
  ["client.resumption_undone", text("trail.resumptionUndone")],
  ["client.asked", text("trail.asked")],
  ["client.answered", text("trail.answered")],
  ["client.given", text("trail.given")],
  ["client.wished", text("trail.wished")],
  ["client.transfer_asked", text("trail.transferAsked")],
  ["client.transfer_withdrawn", text("trail.transferWithdrawn")],
  ["client.inherited", text("trail.inherited")],
  ["client.ownerless", text("trail.ownerless")],
  ["client.owner_invited", text("trail.ownerInvited")],
  ["client.owner_uninvited", text("trail.ownerUninvited")],
  ["client.owner_joined", text("trail.ownerJoined")],
  ["client.owner_role_changed", text("trail.ownerRoleChanged")],
  ["client.owner_removed", text("trail.ownerRemoved")],
  ["client.owner_left", text("trail.ownerLeft")],
  ["client.suspended", text("trail.suspended")],
  ["client.resumed", text("trail.resumed")],
  ["test_app.made", text("trail.testApp.made")],
  ["test_app.reset", text("trail.testApp.reset")],
  ["test_app.ended", text("trail.testApp.ended")],
  ["test_app.revoked", text("trail.testApp.revoked")],
  ["test_app.invited", text("trail.testApp.invited")],
  ["test_app.dismissed", text("trail.testApp.dismissed")],
  ["test_app.accepted", text("trail.testApp.accepted")],
  ["test_app.left", text("trail.testApp.left")],
  ["client.reports_settled", text("trail.reportsSettled")],
  ["client.imported", text("trail.imported")],
  ["client.logo_fetched", text("trail.logoFetched")],
  ["client.migration_undone", text("trail.migrationUndone")],
  ["client.widened", text("trail.widened")],
  ["endpoint.set", text("trail.endpointSet")],
  ["endpoint.removed", text("trail.endpointRemoved")],
  ["endpoint.secret_rotated", text("trail.endpointSecretRotated")],
  ["secret.generated", text("trail.secretGenerated")],
  ["secret.end_changed", text("trail.secretEndChanged")],
  ["secret.ended", text("trail.secretEnded")],
  ["secret.leaked", text("trail.secretLeaked")],
  ["secret.revealed", text("trail.secretRevealed")],
  ["secret.revoked", text("trail.secretRevoked")]
])

/** What a change removes and adds stands on lines of its own; nobody reads the digest of a picture. */
const detail = (name: string, value: Detail): Html => {
  if (name === "logoDigest") return text("trail.detail.changed")
  if (codes.has(name)) return html`<code>${value}</code>`
  if (Array.isArray(value)) return html`${value.map((item) => html`<br>${item}`)}`
  if (!(name in fieldLabels || name === "owner") || typeof value !== "string") return html`${value}`
  return html`${
    summaryItems(value).map((item) =>
      item.startsWith("-")
        ? html`<br><del>${breakable(item.slice(1))}</del>`
        : html`<br><ins>${breakable(item.slice(1))}</ins>`
    )
  }`
}

const detailLabels: ReadonlyMap<string, Phrase> = new Map<string, Phrase>([
  ["acceptedTwins", text("trail.detail.acceptedTwins")],
  ["baseScopes", text("trail.detail.baseScopes")],
  ["checks", text("trail.detail.checks")],
  ["document", text("trail.detail.document")],
  ["initialToken", text("trail.detail.initialToken")],
  ["endedGrants", text("trail.detail.endedGrants")],
  ["url", text("trail.detail.url")],
  ["fields", text("trail.detail.fields")],
  ["from", text("trail.detail.from")],
  ["grants", text("trail.detail.endedGrants")],
  ["identifier", text("trail.detail.identifier")],
  ["issuer", text("trail.detail.issuer")],
  ["lastFour", text("trail.detail.lastFour")],
  ["leftOut", text("trail.detail.leftOut")],
  ["owner", text("fields.owner")],
  ["purpose", text("trail.detail.purpose")],
  ["reason", text("trail.detail.reason")],
  ["refreshGrace", text("trail.detail.refreshGrace")],
  ["risk", text("trail.detail.risk")],
  ["role", text("trail.detail.role")],
  ["subject", text("trail.detail.subject")],
  ["testApp", text("credentials.clientId.name")],
  ["to", text("trail.detail.to")],
  ["trustedHost", text("trail.detail.trustedHost")],
  ["users", text("trail.detail.users")],
  ["widened", text("trail.detail.widened")],
  ...Object.entries(fieldLabels)
])

/** Details that programs wrote for programs, such as ids. */
const codes: ReadonlySet<string> = new Set([
  "acceptedTwins",
  "checks",
  "document",
  "fields",
  "from",
  "issuer",
  "lastFour",
  "leftOut",
  "refreshGrace",
  "role",
  "subject",
  "to"
])

const hiddenDetails: ReadonlySet<string> = new Set(["hash", "version", "secretId"])

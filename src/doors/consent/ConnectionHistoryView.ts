import type { Entry } from "../../core/audit/AuditLog.ts"
import { operator } from "../../core/audit/Operator.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { inQuotes } from "../../domain/Text.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Visitor } from "../session/PageSession.ts"

/** What was allowed when, and what ended: the newest first. */
export const historySection = (catalogue: Catalogue, entries: ReadonlyArray<Entry>, { account }: Visitor): Html => {
  const lines = entries.map((entry, index) => ({ entry, what: sentence(catalogue, entry, entries.slice(index + 1)) }))
  return lines.length === 0 ?
    nothing :
    html`<section aria-labelledby="history"><h2 id="history">${text("connection.history")}</h2>
<ul class="rows">${
      lines.map(({ entry, what }) => html`<li><div>${what}</div><small>${dateText(entry.at, account)}</small></li>`)
    }</ul></section>`
}

const sentence = (catalogue: Catalogue, entry: Entry, earlier: ReadonlyArray<Entry>): Phrase => {
  const { action, actor, details, userId } = entry
  switch (action) {
    case "consent.allowed":
      return allowed(catalogue, entry, earlier.find((one) => one.action === action))
    case "consent.denied":
      return text("connection.history.denied")
    case "consent.withdrawn":
      return text("connection.history.withdrawn")
    case "grant.revoked":
      return text(actor === userId ? "connection.history.device" : "connection.history.byApp")
    case "grant.shortened":
      return text("connection.history.shortened", { days: Number(details["days"]) })
    case "grant.superseded":
      return text("connection.history.superseded")
    case "grant.displaced":
      return text("connection.history.displaced")
    case "grant.imported":
      return text("connection.history.imported")
    case "grants.ended":
      return text(actor === operator ? "connection.history.byOperator" : "connection.history.withdrawn")
    default:
      return text("connection.history.reused")
  }
}

/** Names what is new since the last time that something was allowed. */
const allowed = (catalogue: Catalogue, entry: Entry, before: Entry | undefined): Phrase => {
  const [scopes, known] = [scopesOf(entry), before === undefined ? [] : scopesOf(before)]
  if (scopes === undefined) return text("connection.history.everything")
  const added = scopes.filter((scope) => !(known ?? scopes).includes(scope))
  if (added.length === 0) return text("connection.history.again")
  const rights = forReader(({ language: { tag } }) =>
    listText(added.map((scope) => inQuotes(catalogue.describe(scope, tag).title)))
  )
  return before === undefined
    ? text("connection.history.allowed", { rights })
    : text("connection.history.more", { more: added.length, rights })
}

/** Scopes of an entry; none for everything. */
const scopesOf = ({ details: { scope } }: Entry): ReadonlyArray<string> | undefined =>
  typeof scope === "string" ? scope.split(" ").filter((name) => name !== "") : undefined

import type { Entry } from "../../core/audit/AuditLog.ts"
import type { Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import type { TrailEntry } from "../parts/AuditTrailView.ts"

/** Acts of which the page of all resources tells. */
export const resourceActions: ReadonlyMap<string, Phrase> = new Map([
  ["resource.created", text("resources.trail.created")],
  ["resource.changed", text("resources.trail.changed")],
  ["resource.deleted", text("resources.trail.deleted")],
  ["resource_server.created", text("resources.trail.credentialCreated")],
  ["resource_server.revoked", text("resources.trail.credentialRevoked")]
])

/** An entry as the page shows it: each scope on a line of its own, and no id, which nobody can look up. */
export const trailEntry = (entry: Entry, by: Phrase): TrailEntry => ({
  ...entry,
  by,
  details: Object.fromEntries(
    Object.entries(entry.details).filter(([name]) => name !== "id").map(([name, value]) => [
      name === "resource" ? "identifier" : name,
      typeof value !== "string" ? value : lists.has(name) ? value.split(" ") : [value]
    ])
  )
})

const lists: ReadonlySet<string> = new Set(["scopes", "baseScopes"])

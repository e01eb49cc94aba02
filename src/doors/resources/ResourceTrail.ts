import type { Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** Acts of which the page of all resources tells. */
export const resourceActions: ReadonlyMap<string, Phrase> = new Map([
  ["resource.created", text("resources.trail.created")],
  ["resource.changed", text("resources.trail.changed")],
  ["resource.deleted", text("resources.trail.deleted")],
  ["resource_server.created", text("resources.trail.credentialCreated")],
  ["resource_server.revoked", text("resources.trail.credentialRevoked")]
])

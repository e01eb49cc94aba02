import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { text } from "../../foundation/web/Message.ts"

/** What an edit of an app has done, in a sentence: one of a rejected app submits it again. */
export const saved = (before: ManagedClient, after: ManagedClient) =>
  after.status === "pending" && before.status === "rejected" ? text("app.resubmitted") : text("app.saved")

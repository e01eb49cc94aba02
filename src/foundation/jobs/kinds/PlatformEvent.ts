import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Tells the platform, at `PLATFORM_WEBHOOK_URL`, that grants have ended, or an app with all of its grants. */
export const PlatformEvent = define({
  queue: "platform-events",
  payload: Schema.Struct({ clientId: ClientId, type: Schema.String, data: Schema.Record(Schema.String, Schema.Json) }),
  subject: ({ clientId }) => `client:${clientId}`
})

import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Tells the owner of an app that its endpoint has not taken events for a day, so that some were given up. */
export const EndpointMail = define({
  queue: "endpoint-mails",
  payload: Schema.Struct({ userId: UserId, clientId: ClientId }),
  subject: ({ clientId }) => `client:${clientId}`
})

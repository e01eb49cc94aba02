import { Duration, Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/**
 * Delivers the events of an app that are due, to its endpoint. Deliveries to one app follow each other, so that one
 * endpoint takes up one worker at most. Without an app, as it is scheduled, it publishes such a job for each app that
 * has events due.
 */
export const EventDelivery = define({
  queue: "event-deliveries",
  payload: Schema.Struct({ clientId: Schema.NullOr(ClientId) }),
  subject: ({ clientId }) => clientId === null ? "endpoints" : `client:${clientId}`,
  schedule: { payload: { clientId: null }, times: { every: Duration.minutes(1) } }
})

import { Schema } from "effect"
import { AppEventType } from "./AppEvent.ts"

/** Endpoint of an app, as its owner sees it: never with its secret. */
export const Endpoint = Schema.Struct({
  url: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  /** When its secret was made. */
  secretAt: Schema.DateTimeUtcFromDate,
  /** Until when the secret before that signs as well; null if none does. */
  previousUntil: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Attempts that failed since the last that did not. */
  failures: Schema.Int,
  /** No event is sent before this; null if the endpoint has no pause. */
  retryAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "EventEndpoint" })
export type Endpoint = typeof Endpoint.Type

/** Why an endpoint gave no answer; `unsigned`: nothing was sent, since its secret cannot be read any more. */
export const DeliveryFault = Schema.Literals(["not_https", "not_public", "silent", "slow", "unsigned"])
export type DeliveryFault = typeof DeliveryFault.Type

/** An event for an app and what has come of it. */
export const Delivery = Schema.Struct({
  /** Header `webhook-id`, the same at each attempt. */
  id: Schema.String,
  type: AppEventType,
  at: Schema.DateTimeUtcFromDate,
  state: Schema.Literals(["waiting", "delivered", "failed"]),
  attempts: Schema.Int,
  /** Last attempt, the status of its answer, and why there was none. */
  triedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  status: Schema.NullOr(Schema.Int),
  fault: Schema.NullOr(DeliveryFault),
  /** When it is tried again; null unless it waits. */
  dueAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "EventDelivery" })
export type Delivery = typeof Delivery.Type

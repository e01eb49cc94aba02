import { Clock, type DateTime, Effect, Option, type Redacted, Schema } from "effect"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { postKnown } from "../src/foundation/outbound/KnownPost.ts"
import { requestOf } from "../src/foundation/outbound/StandardWebhook.ts"
import { traceparent } from "../src/foundation/tracing/TraceContext.ts"

export interface Event {
  /** Same for a repeat of the event, which receivers recognise by the header `webhook-id`. */
  readonly id: string
  readonly type: string
  readonly at: DateTime.Utc
  readonly data: { readonly [key: string]: Schema.Json }
}

/** Receiver of events that the settings name. */
export interface Target {
  readonly url: string
  readonly secret: Redacted.Redacted
}

/** The webhook did not accept the event. */
export class WebhookError extends Schema.TaggedError<WebhookError>()("WebhookError", { message: Schema.String }) {}

/** Sends an event to a webhook that the settings name, signed as Standard Webhooks 1.0 describes. */
export const sendTo = Effect.fnUntraced(function*({ secret, url }: Target, { at, data, id, type }: Event) {
  const { mailTimeout } = yield* AppConfig
  const { body, headers } = requestOf({ id, type, at, data: JSON.stringify(data) }, yield* Clock.currentTimeMillis, [
    secret
  ])
  const trace = Option.match(yield* traceparent, {
    onNone: () => ({}),
    onSome: (traceparent) => ({ traceparent })
  })
  const status = yield* Effect.mapError(
    postKnown(url, { body, headers: { ...trace, ...headers } }, mailTimeout),
    ({ message }) => new WebhookError({ message: `The webhook cannot be reached: ${message}` })
  )
  if (status < 200 || status > 299) return yield* new WebhookError({ message: `The webhook answered ${status}` })
})

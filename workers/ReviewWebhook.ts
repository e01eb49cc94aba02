import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createHmac } from "node:crypto"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { traceparent } from "../src/foundation/tracing/TraceContext.ts"

export interface Event {
  /** Same for a repeat of the event, which receivers recognise by the header `webhook-id`. */
  readonly id: string
  readonly type: string
  readonly at: DateTime.Utc
  readonly data: Readonly<Record<string, string | null>>
}

/** The webhook did not accept the event. */
class WebhookError extends Schema.TaggedError<WebhookError>()("WebhookError", { message: Schema.String }) {}

/** Sends events to `REVIEW_WEBHOOK_URL`, signed as Standard Webhooks 1.0 describes. */
export class ReviewWebhook extends Context.Service<ReviewWebhook, {
  /** Does nothing when `REVIEW_WEBHOOK_URL` is not set. */
  send(event: Event): Effect.Effect<void, WebhookError>
}>()("slotkey/workers/ReviewWebhook") {
  static readonly layer: Layer.Layer<ReviewWebhook, never, AppConfig> = Layer.effect(
    ReviewWebhook,
    Effect.gen(function*() {
      const { mailTimeout, reviewWebhookSecret, reviewWebhookUrl } = yield* AppConfig
      const target = Option.all({ url: reviewWebhookUrl, secret: reviewWebhookSecret })

      const send = Effect.fn("ReviewWebhook.send")(function*({ at, data, id, type }: Event) {
        if (Option.isNone(target)) return
        const { secret, url } = target.value
        const body = JSON.stringify({ type, timestamp: DateTime.formatIso(at), data })
        // Time of the attempt, not of the event: receivers refuse timestamps that are too old.
        const timestamp = String(Math.floor((yield* Clock.currentTimeMillis) / 1000))
        const trace = Option.match(yield* traceparent, {
          onNone: () => ({}),
          onSome: (traceparent) => ({ traceparent })
        })
        const status = yield* Effect.tryPromise({
          try: async (signal) => {
            const response = await fetch(url, {
              method: "POST",
              redirect: "manual",
              signal: AbortSignal.any([signal, AbortSignal.timeout(Duration.toMillis(mailTimeout))]),
              headers: {
                ...trace,
                "content-type": "application/json",
                "webhook-id": id,
                "webhook-timestamp": timestamp,
                "webhook-signature": `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`
              },
              body
            })
            await response.body?.cancel()
            return response.status
          },
          catch: (cause) => new WebhookError({ message: `The webhook cannot be reached: ${causeOf(cause)}` })
        })
        if (status < 200 || status > 299) {
          return yield* new WebhookError({ message: `The webhook answered ${status}` })
        }
      })

      return ReviewWebhook.of({ send })
    })
  )
}

// A secret that begins with `whsec_` holds the key in base64 (Standard Webhooks); any other is the key itself.
const sign = (secret: Redacted.Redacted, text: string): string => {
  const value = Redacted.value(secret)
  const key = value.startsWith("whsec_") ? Buffer.from(value.slice("whsec_".length), "base64") : value
  return createHmac("sha256", key).update(text).digest("base64")
}

const causeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message
}

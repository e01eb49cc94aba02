import { Context, Effect, Layer, Option } from "effect"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import * as Webhook from "./Webhook.ts"

export interface Event extends Webhook.Event {
  readonly data: Readonly<Record<string, string | null>>
}

/** Sends events to `REVIEW_WEBHOOK_URL`. */
export class ReviewWebhook extends Context.Service<ReviewWebhook, {
  /** Does nothing when `REVIEW_WEBHOOK_URL` is not set. */
  send(event: Event): Effect.Effect<void, Webhook.WebhookError>
}>()("slotkey/workers/ReviewWebhook") {
  static readonly layer: Layer.Layer<ReviewWebhook, never, AppConfig> = Layer.effect(
    ReviewWebhook,
    Effect.gen(function*() {
      const config = yield* AppConfig
      const target = Option.all({ url: config.reviewWebhookUrl, secret: config.reviewWebhookSecret })

      return ReviewWebhook.of({
        send: Effect.fn("ReviewWebhook.send")(function*(event: Event) {
          if (Option.isSome(target)) {
            yield* Effect.provideService(Webhook.sendTo(target.value, event), AppConfig, config)
          }
        })
      })
    })
  )
}

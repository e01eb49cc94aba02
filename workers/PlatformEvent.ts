import { Effect, Option } from "effect"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { PlatformEvent } from "../src/foundation/jobs/kinds/PlatformEvent.ts"
import { PermanentFailure } from "../src/foundation/jobs/queue/PermanentFailure.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { sendTo } from "./Webhook.ts"

/** Tells the platform which grants have ended; a server that publishes such jobs has the settings for them. */
export const worker = Worker.make({
  kind: PlatformEvent,
  does: "calls of the platform's webhook about grants that have ended and apps that are deleted",
  concurrency: 4,
  handler: Effect.fn("PlatformEvent")(function*({ data, type }, { at, id }) {
    const { platformWebhookSecret, platformWebhookUrl } = yield* AppConfig
    const target = Option.all({ url: platformWebhookUrl, secret: platformWebhookSecret })
    if (Option.isNone(target)) {
      return yield* new PermanentFailure({ message: "PLATFORM_WEBHOOK_URL is not set for the workers" })
    }
    yield* sendTo(target.value, { id, type, at, data })
  })
})

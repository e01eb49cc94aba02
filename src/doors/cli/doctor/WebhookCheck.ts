import { Effect, Option } from "effect"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { type Check, degraded, ok } from "../../../foundation/operator/Readiness.ts"
import { reasonOf } from "./BaseUrlCheck.ts"

/**
 * Asks whether something answers at REVIEW_WEBHOOK_URL, without an event: only one would tell whether it takes them.
 */
export const webhookCheck = ({ reviewWebhookUrl }: Pick<Settings, "reviewWebhookUrl">): Option.Option<
  Check<"webhook">
> =>
  Option.map(reviewWebhookUrl, (url) => ({
    name: "webhook",
    otherwise: "degraded",
    probe: Effect.tryPromise({
      try: async (signal) => {
        // Without a body: a receiver of events answers that it wants another method, or a signature.
        const { status } = await fetch(url, { method: "HEAD", redirect: "manual", signal })
        if (status >= 500) return degraded(`The webhook answers ${status}.`)
        if (status >= 300 && status < 400) {
          return degraded(`The webhook answers ${status}, and no redirect is followed.`)
        }
        return ok("Something answers at the webhook.")
      },
      catch: (cause) => degraded(`The webhook cannot be reached from here: ${reasonOf(cause)}`)
    }).pipe(Effect.catch(Effect.succeed))
  }))

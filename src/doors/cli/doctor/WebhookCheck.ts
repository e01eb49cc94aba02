import { degraded, ok } from "../../../foundation/operator/Readiness.ts"
import { httpCheck } from "./HttpCheck.ts"

/**
 * Asks whether something answers at REVIEW_WEBHOOK_URL, without an event: only one would tell whether it takes them.
 */
export const webhookCheck = (url: string) =>
  httpCheck("webhook", "degraded", "The webhook", async (signal) => {
    // Without a body: a receiver of events answers that it wants another method, or a signature.
    const { status } = await fetch(url, { method: "HEAD", redirect: "manual", signal })
    if (status >= 500) return degraded(`The webhook answers ${status}.`)
    return status >= 300 && status < 400
      ? degraded(`The webhook answers ${status}, and no redirect is followed.`)
      : ok("Something answers at the webhook.")
  })

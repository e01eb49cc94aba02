import { Option } from "effect"
import { type Check, degraded, ok } from "../../../foundation/operator/Readiness.ts"
import { httpCheck } from "./HttpCheck.ts"

interface Webhooks {
  readonly reviewWebhookUrl: Option.Option<string>
  readonly platformWebhookUrl: Option.Option<string>
}

/**
 * Asks whether something answers at REVIEW_WEBHOOK_URL and PLATFORM_WEBHOOK_URL, without an event: only one would tell
 * whether it takes them.
 */
export const webhookChecks = ({ platformWebhookUrl, reviewWebhookUrl }: Webhooks) => [
  ...Option.toArray(Option.map(reviewWebhookUrl, (url) => webhookCheck("webhook", "The webhook", url))),
  ...Option.toArray(
    Option.map(platformWebhookUrl, (url) => webhookCheck("platform-webhook", "The webhook of the platform", url))
  )
]

const webhookCheck = <const Name extends string>(name: Name, what: string, url: string): Check<Name> =>
  httpCheck(name, "degraded", what, async (signal) => {
    // Without a body: a receiver of events answers that it wants another method, or a signature.
    const { status } = await fetch(url, { method: "HEAD", redirect: "manual", signal })
    if (status >= 500) return degraded(`${what} answers ${status}.`)
    return status >= 300 && status < 400
      ? degraded(`${what} answers ${status}, and no redirect is followed.`)
      : ok(`Something answers at ${what.toLowerCase()}.`)
  })

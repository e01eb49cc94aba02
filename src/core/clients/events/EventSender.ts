import { Clock, Duration, Effect, type Redacted } from "effect"
import type { RuleCode } from "../../../domain/Rule.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { takesLoopback } from "../../../foundation/config/OwnMachine.ts"
import { postKnown } from "../../../foundation/outbound/KnownPost.ts"
import { postTo } from "../../../foundation/outbound/PublicHttps.ts"
import { type Message, requestOf } from "../../../foundation/outbound/StandardWebhook.ts"
import type { DeliveryFault } from "./Endpoint.ts"
import { isLoopback } from "./EndpointAddress.ts"

/** What came of an attempt: the status of the answer, or why there was none. */
export interface Attempt {
  readonly status: number | null
  readonly fault: DeliveryFault | null
}

export const isTaken = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** Sends an event to an endpoint, by the rules for foreign hosts, and reads of the answer the status alone. */
export const eventSender = Effect.gen(function*() {
  const config = yield* AppConfig

  return Effect.fn("EventSender.send")(
    function*(url: string, secrets: ReadonlyArray<Redacted.Redacted>, message: Message) {
      const request = requestOf(message, yield* Clock.currentTimeMillis, secrets)
      const sent = isLoopback(url) && takesLoopback(config)
        ? Effect.mapError(postKnown(url, request, limit), (): DeliveryFault => "silent")
        : Effect.mapError(postTo(url, request), ({ reason }) => faults[reason.rule.code] ?? "silent")
      return yield* sent.pipe(
        Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail<DeliveryFault>("slow") }),
        Effect.match({
          onSuccess: (status): Attempt => ({ status, fault: null }),
          onFailure: (fault): Attempt => ({ status: null, fault })
        })
      )
    }
  )
})

const faults: Partial<Readonly<Record<RuleCode, DeliveryFault>>> = {
  logoPort: "not_https",
  logoNotPublic: "not_public"
}

/** Time in which an endpoint has to answer. */
const limit = Duration.seconds(10)

import { Duration, Effect, type Layer } from "effect"
import type { AppConfig } from "../../config/AppConfig.ts"
import { finding, ok, Readiness, type Status } from "../../operator/Readiness.ts"
import { jobStoreCheck } from "./JobStoreCheck.ts"
import { Queues } from "./Queues.ts"
import { Relay } from "./Relay.ts"

/**
 * Checks of a process that does jobs. `trouble` is the status without the store or without progress: `failed` for a
 * worker process, which is of no use then, `degraded` for a server, which answers requests all the same.
 */
export const jobChecks = (
  trouble: Exclude<Status, "ok">
): Layer.Layer<never, never, AppConfig | Queues | Readiness | Relay> =>
  Readiness.adding(Effect.gen(function*() {
    const queues = yield* Queues
    const relay = yield* Relay

    const tables = Effect.match(queues.available, {
      onFailure: ({ message }) => finding(trouble, `The store of the queues is away: ${message}`),
      onSuccess: () => ok("The store of the queues answers.")
    })
    const progress = Effect.map(
      relay.sinceLastPass,
      (since) =>
        Duration.isLessThanOrEqualTo(since, relayPatience)
          ? ok("The relay looks for jobs.")
          : finding(trouble, `The relay has not looked for jobs for ${Math.round(Duration.toSeconds(since))} s.`)
    )
    const [store = { name: "jobs", probe: tables, otherwise: trouble }] = yield* jobStoreCheck(trouble)
    return [store, { name: "relay", probe: progress, otherwise: trouble }]
  }))

/** The relay looks for jobs twice a second; without a success for this long it is of no use. */
const relayPatience = Duration.seconds(15)

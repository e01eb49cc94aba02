import { Effect } from "effect"
import { eventQueue } from "../src/core/clients/events/EventQueue.ts"
import { EventDelivery } from "../src/foundation/jobs/kinds/EventDelivery.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Delivers events to the endpoints of apps: to several at a time, and to each one after the other. */
export const worker = Worker.make({
  kind: EventDelivery,
  does: "delivers events to the endpoints of apps, and looks each minute for those that are due again",
  concurrency: 16,
  handler: Effect.fn("EventDelivery")(function*({ clientId }, job) {
    const queue = yield* eventQueue
    if (clientId === null) {
      const apps = yield* queue.publishDue
      if (apps > 0) yield* job.progress({ apps })
    } else {
      yield* job.progress({ tried: yield* queue.deliver(clientId) })
    }
  })
})

import { Effect } from "effect"
import { websiteLooks } from "../src/core/clients/review/WebsiteLooks.ts"
import { WebsiteLooks } from "../src/foundation/jobs/kinds/WebsiteLooks.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Asks some of the websites that are due; the next run asks the others. */
export const worker = Worker.make({
  kind: WebsiteLooks,
  does: "asks the websites of apps that wait for review, each once a day, whether they answer",
  isLong: true,
  handler: Effect.fn("WebsiteLooks")(function*(_, job) {
    const asked = yield* (yield* websiteLooks).askDue
    if (asked > 0) yield* job.progress({ asked })
  })
})

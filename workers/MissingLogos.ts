import { Effect } from "effect"
import { MissingLogos as Logos } from "../src/core/clients/logos/MissingLogos.ts"
import { MissingLogos } from "../src/foundation/jobs/kinds/MissingLogos.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Fetches the pictures that are due; each is kept at once, so a worker that dies loses none. */
export const worker = Worker.make({
  kind: MissingLogos,
  does: "fetches the logos of apps that have only an address of one, as imported apps do",
  isLong: true,
  handler: Effect.fn("MissingLogos")(function*(_, job) {
    const logos = yield* Logos
    const fetched = yield* logos.fetchDue
    if (fetched > 0) yield* job.progress({ fetched })
  })
})

import { Effect, Layer } from "effect"
import { MissingLogos as Logos } from "../src/core/clients/logos/MissingLogos.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { StatementTimeout } from "../src/foundation/database/StatementTimeout.ts"
import { MissingLogos } from "../src/foundation/jobs/kinds/MissingLogos.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Fetches the pictures that are due; each is kept at once, so a worker that dies loses none. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const logos = yield* Logos
  const { sweepTimeout } = yield* AppConfig
  return Worker.layer({
    kind: MissingLogos,
    returnAtStop: true,
    handler: Effect.fn("MissingLogos")(function*(_, job) {
      const fetched = yield* Effect.provideService(logos.fetchDue, StatementTimeout, sweepTimeout)
      if (fetched > 0) yield* job.progress({ fetched })
    })
  })
}))

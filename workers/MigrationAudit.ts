import { Effect, Layer } from "effect"
import { MigrationAudits } from "../src/core/legacy/migration/MigrationAudits.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { StatementTimeout } from "../src/foundation/database/StatementTimeout.ts"
import { MigrationAudit } from "../src/foundation/jobs/kinds/MigrationAudit.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Audits all legacy clients. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const audits = yield* MigrationAudits
  const { sweepTimeout } = yield* AppConfig
  return Worker.layer({
    kind: MigrationAudit,
    returnAtStop: true,
    handler: (_, job) =>
      audits.run(job.id, (clients) => job.progress({ clients })).pipe(
        Effect.provideService(StatementTimeout, sweepTimeout)
      )
  })
}))

import { Effect } from "effect"
import { MigrationAudits } from "../src/core/legacy/migration/MigrationAudits.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { StatementTimeout } from "../src/foundation/database/StatementTimeout.ts"
import { MigrationAudit } from "../src/foundation/jobs/kinds/MigrationAudit.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

export const worker = Worker.make({
  kind: MigrationAudit,
  does: "the verdict on each legacy app, kept as history",
  returnAtStop: true,
  handler: Effect.fnUntraced(function*(_, job) {
    const audits = yield* MigrationAudits
    const { sweepTimeout } = yield* AppConfig
    const run = audits.run(job.id, (clients) => job.progress({ clients }))
    yield* Effect.provideService(run, StatementTimeout, sweepTimeout)
  })
})

import { Effect } from "effect"
import { MigrationAudits } from "../src/core/legacy/migration/MigrationAudits.ts"
import { MigrationAudit } from "../src/foundation/jobs/kinds/MigrationAudit.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

export const worker = Worker.make({
  kind: MigrationAudit,
  does: "the verdict on each legacy app, kept as history",
  isLong: true,
  handler: Effect.fnUntraced(function*(_, job) {
    const audits = yield* MigrationAudits
    yield* audits.run(job.id, (clients) => job.progress({ clients }))
  })
})

import { Effect, Layer } from "effect"
import { MigrationAudit } from "../src/jobs/MigrationAudit.ts"
import * as Worker from "../src/jobs/Worker.ts"
import { MigrationAudits } from "../src/legacy/MigrationAudits.ts"

/** Audits the clients from before scopes each night, and one of them whenever somebody asks. */
export const layer = Layer.unwrap(Effect.map(MigrationAudits, (audits) =>
  Worker.layer({
    kind: MigrationAudit,
    schedule: { payload: { clientId: null }, times: { cron: "0 3 * * *" } },
    returnAtStop: true,
    handler: ({ clientId }, job) => audits.run(clientId, job.id, (clients) => job.progress({ clients }))
  })))

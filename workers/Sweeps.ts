import { sweeps as apiKeys } from "../src/core/accounts/ApiKeys.ts"
import { sweeps as sessions } from "../src/core/accounts/Sessions.ts"
import { sweeps as setupLinks } from "../src/core/accounts/SetupLinks.ts"
import { sweeps as refusedRequests } from "../src/core/clients/RefusedRequests.ts"
import { sweeps as authorizationRequests } from "../src/core/consent/QuestionStore.ts"
import { sweeps as codes } from "../src/core/grants/CodeStore.ts"
import { sweeps as grants } from "../src/core/grants/GrantSweeps.ts"
import { sweeps as legacyTraffic } from "../src/core/legacy/migration/LegacyTraffic.ts"
import { sweeps as migrationAudits } from "../src/core/legacy/migration/MigrationAudits.ts"
import { sweeps as limits } from "../src/core/limits/Limiter.ts"
import type { Sweep } from "../src/foundation/database/Sweep.ts"
import { sweeps as outbox } from "../src/foundation/jobs/outbox/OutboxRepo.ts"

/** The sweeps of all tables, in the order in which the job `Expiry` runs them. */
export const all: ReadonlyArray<Sweep> = [
  ...codes,
  ...authorizationRequests,
  ...grants,
  ...sessions,
  ...apiKeys,
  ...setupLinks,
  ...limits,
  ...refusedRequests,
  ...outbox,
  ...legacyTraffic,
  ...migrationAudits
]

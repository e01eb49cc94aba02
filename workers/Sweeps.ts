import { sweeps as spentAnswers } from "../src/core/accounts/linked/SpentAnswers.ts"
import { sweeps as mailedLinks } from "../src/core/accounts/local/MailedLinks.ts"
import { sweeps as setupLinks } from "../src/core/accounts/local/SetupLinks.ts"
import { sweeps as apiKeys } from "../src/core/accounts/people/ApiKeys.ts"
import { sweeps as continuations } from "../src/core/accounts/people/Continuations.ts"
import { sweeps as sessions } from "../src/core/accounts/people/Sessions.ts"
import type { AuditLog } from "../src/core/audit/AuditLog.ts"
import { sweeps as auditLog } from "../src/core/audit/AuditSweep.ts"
import { sweeps as initialTokens } from "../src/core/clients/dynamic/InitialTokens.ts"
import { sweeps as registrations } from "../src/core/clients/dynamic/RegistrationSweep.ts"
import type { AppEvents } from "../src/core/clients/events/AppEvents.ts"
import { sweeps as appEvents } from "../src/core/clients/events/EventSweeps.ts"
import { sweeps as refusedRequests } from "../src/core/clients/life/RefusedRequests.ts"
import { sweeps as registrationDrafts } from "../src/core/clients/life/RegistrationDrafts.ts"
import { sweeps as ownerInvitations } from "../src/core/clients/owners/OwnerInvitations.ts"
import { sweeps as reviewDecisions } from "../src/core/clients/review/DecisionStore.ts"
import { sweeps as reviewMessages } from "../src/core/clients/review/ReviewMessages.ts"
import { sweeps as reviewWishes } from "../src/core/clients/review/ReviewWishes.ts"
import { sweeps as testGuests } from "../src/core/clients/testapps/TestGuests.ts"
import { sweeps as authorizationRequests } from "../src/core/consent/QuestionStore.ts"
import { sweeps as codes } from "../src/core/grants/CodeStore.ts"
import { sweeps as grants } from "../src/core/grants/GrantSweeps.ts"
import { sweeps as legacyTraffic } from "../src/core/legacy/migration/LegacyTraffic.ts"
import { sweeps as migrationAudits } from "../src/core/legacy/migration/MigrationAudits.ts"
import { sweeps as limits } from "../src/core/limits/Limiter.ts"
import { sweeps as usageInbox } from "../src/core/usage/UsageInbox.ts"
import { sweeps as usageMerge } from "../src/core/usage/UsageMerge.ts"
import type { Sweep } from "../src/foundation/database/Sweep.ts"
import { sweeps as outbox } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { sweeps as reviewDigests } from "./ReviewNews.ts"

/** Sweeps of all tables, in the order in which the job `Expiry` runs them. */
export const all: ReadonlyArray<Sweep<AppEvents | AuditLog>> = [
  ...codes,
  ...authorizationRequests,
  ...grants,
  ...appEvents,
  ...sessions,
  ...continuations,
  ...apiKeys,
  ...setupLinks,
  ...mailedLinks,
  ...spentAnswers,
  ...limits,
  ...refusedRequests,
  ...registrationDrafts,
  ...registrations,
  ...initialTokens,
  ...outbox,
  ...reviewDecisions,
  ...reviewDigests,
  ...reviewMessages,
  ...reviewWishes,
  ...ownerInvitations,
  ...testGuests,
  ...legacyTraffic,
  ...migrationAudits,
  ...usageInbox,
  ...usageMerge,
  // Last: it may wait for a folder that is full, and the others must not.
  ...auditLog
]

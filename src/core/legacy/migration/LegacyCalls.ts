import { Context } from "effect"
import type { ClientId } from "../../../domain/Ids.ts"
import type { Operation } from "../../../domain/operations/EndpointRules.ts"
import type { ScopesNeeded } from "../../../domain/scopes/Requirement.ts"
import type { RefusalCause } from "./LegacyRefusals.ts"
import type { CallRefusal } from "./RefusedCall.ts"

/**
 * Counts what the hot path sees of legacy clients (specification §5.6): the scopes that their API calls need, which
 * tell what the scopes to be saved must cover, and what is refused once they are saved. The check of API calls and the
 * token endpoint report. Reporting costs the request nothing but an addition: a fiber writes the sums, every few
 * seconds while there are any. So a node that stops may lose its last seconds. A program that checks calls against a
 * remote server has no counts, hence the default.
 */
export const LegacyCalls = Context.Reference<LegacyCalls>("slotkey/core/legacy/migration/LegacyCalls", {
  defaultValue: () => ({ isCounting: false, note: () => {}, noteRefused: () => {}, noteRefusedCall: () => {} })
})

export interface LegacyCalls {
  /** False where there are no counts, so nothing has to be found out for them. */
  readonly isCounting: boolean
  /** Reports a call that needed these scopes, made with a token that nothing restricts. */
  note(clientId: ClientId, needed: ScopesNeeded): void
  /** Reports a refusal of any client's request; those of clients that were not migrated are not counted. */
  noteRefused(clientId: ClientId, cause: RefusalCause): void
  /** Reports a refused API call of any client; those of legacy and migrated ones are counted by operation. */
  noteRefusedCall(clientId: ClientId, cause: CallRefusal, operation: Operation | undefined): void
}

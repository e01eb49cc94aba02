import { Schema } from "effect"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { Owner } from "../../accounts/people/Account.ts"
import { Blindness } from "./Blindness.ts"
import { MigrationAudit } from "./MigrationAudit.ts"
import { RefusedCall } from "./RefusedCall.ts"
import { RehearsedCalls } from "./Rehearsal.ts"

/** A legacy app as reviewers see it on the board. */
export const BoardClient = Schema.Struct({
  id: ClientId,
  name: Schema.String,
  website: Schema.String,
  ownerId: UserId,
  /** `null` when the owner may not sign in any more. */
  owner: Schema.NullOr(Owner),
  /** Last mail that asked its owner to move it. */
  askedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Findings of an audit made now. */
  audit: MigrationAudit,
  /** Its API calls in the days of the audit, as they would have ended with the scopes that its requests named. */
  calls: Schema.Struct({ ...RehearsedCalls.fields, blindness: Schema.NullOr(Blindness) }).annotate({
    identifier: "LegacyClientCalls"
  }),
  /** Its API calls that were refused in those days. */
  refusedCalls: Schema.Array(RefusedCall),
  /** Its authorization requests of the last 30 days, the oldest day first. */
  trend: Schema.Array(Schema.Struct({ unscoped: Schema.Int, scoped: Schema.Int }))
}).annotate({ identifier: "LegacyClient" })
export type BoardClient = typeof BoardClient.Type

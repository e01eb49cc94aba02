import { Schema } from "effect"
import { GrantId } from "../../domain/Ids.ts"
import { Need } from "./Need.ts"
import { Outcome } from "./Use.ts"

/** Text form of a UUID, as the database takes it. */
const uuid = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/

const Age = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7_200 }))
const Calls = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))

/** Calls of a grant that needed the same, were of the same operation and came to the same. */
const ReportedCalls = Schema.Struct({
  grant: GrantId.check(Schema.isPattern(uuid)),
  need: Need.check(Schema.isMaxLength(1_000)),
  operation: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1_000))),
  outcome: Outcome,
  calls: Calls,
  first: Age,
  last: Age
}).annotate({ identifier: "ReportedCalls" })
export type ReportedCalls = typeof ReportedCalls.Type

const MissedCalls = Schema.Struct({
  calls: Calls,
  first: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 * 86_400 }))
}).annotate({ identifier: "MissedCalls" })

/**
 * Calls that a resource server has checked. Times are ages in seconds at the moment of sending, so that it does not
 * matter what its clock says.
 */
export const UsageReport = Schema.Struct({
  /** Same when it is sent again. */
  batch: Schema.String.check(Schema.isPattern(uuid)),
  /** Calls that could not be reported, and the age of the first of them. */
  missed: Schema.optionalKey(MissedCalls),
  calls: Schema.Array(ReportedCalls).check(Schema.isMaxLength(5_000))
}).annotate({ identifier: "UsageReport" })
export type UsageReport = typeof UsageReport.Type

import { DateTime, Schema } from "effect"
import { ScopeName } from "../../domain/scopes/Scope.ts"
import { Need } from "../usage/Need.ts"
import { Outcome } from "../usage/Use.ts"

const Calls = { outcome: Outcome, calls: Schema.Int }

const DayCalls = Schema.Struct({ day: Schema.String, need: Need, ...Calls }).annotate({ identifier: "DayCalls" })

const OperationCalls = Schema.Struct({ operation: Schema.String, ...Calls }).annotate({ identifier: "OperationCalls" })

const UsersOfNeed = Schema.Struct({ need: Need, users: Schema.Int }).annotate({ identifier: "UsersOfNeed" })

const UsageCoverage = Schema.Struct({
  completeSince: Schema.NullOr(Schema.DateTimeUtcFromDate),
  keptSince: Schema.DateTimeUtcFromDate,
  isCounting: Schema.Boolean,
  hasOffline: Schema.Boolean
}).annotate({ identifier: "UsageCoverage" })

/** Scopes of an app that nobody uses. */
const Unused = Schema.Struct({
  scopes: Schema.Array(ScopeName),
  /** Those that the app can do without: it has to require at least one. */
  droppable: Schema.Array(ScopeName),
  /** From when on no call with them was seen. */
  since: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "AppUnusedScopes" })
export type Unused = typeof Unused.Type

/**
 * Why nobody knows which scopes are unused: counting is off; some calls are verified offline; some were missed today;
 * all are seen for less than four weeks; some were seen by introspection alone; or more counts wait than can be read.
 */
const Unknown = Schema.Struct({
  reason: Schema.Literals(["off", "offline", "missed", "early", "introspected", "behind"]),
  /** When it is known, if nothing is missed until then; `null` where time alone does not help. */
  knownAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "UnknownUse" })
export type Unknown = typeof Unknown.Type

/** Calls of an app by what they needed and by day, and what follows for its scopes. Of its users it has numbers. */
export const AppCalls = Schema.Struct({
  coverage: UsageCoverage,
  /** First and last day that is counted, in UTC. */
  from: Schema.String,
  to: Schema.String,
  days: Schema.Array(DayCalls),
  operations: Schema.Array(OperationCalls),
  /** False while more counts wait to be added up than a page reads. */
  isCurrent: Schema.Boolean,
  users: Schema.Array(UsersOfNeed),
  /** False if there are more grants than are counted: then the numbers are the least. */
  areUsersComplete: Schema.Boolean,
  /** Both are `null` where the app has no scopes to drop: before it is approved, a legacy app, a test app. */
  unused: Schema.NullOr(Unused),
  unknown: Schema.NullOr(Unknown)
}).annotate({ identifier: "AppUsage" })
export type AppCalls = typeof AppCalls.Type

/** Days from one to another in UTC, both among them, as `2026-11-27`. */
export const daysBetween = (from: string, to: string): ReadonlyArray<string> => {
  const [first, last] = [DateTime.makeUnsafe(from), DateTime.makeUnsafe(to)]
  const length = Math.round((last.epochMilliseconds - first.epochMilliseconds) / 86_400_000) + 1
  return Array.from({ length }, (_, days) => DateTime.formatIsoDateUtc(DateTime.add(first, { days })))
}

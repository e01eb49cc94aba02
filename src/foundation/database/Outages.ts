import { Cause, Effect, Predicate } from "effect"
import { SqlError } from "effect/sql"
import * as OutageLog from "../log/OutageLog.ts"
import { SilentConnection } from "./hosts/HeardSockets.ts"
import { CommitsWait } from "./hosts/WaitingCommits.ts"

/** A state of the database in which it cannot do what it was asked, through no fault of the statement. */
export interface DatabaseOutage extends OutageLog.Outage {
  /** The next attempt may succeed, because only this statement took too long or met another one. */
  readonly isBrief: boolean
}

/**
 * Outage that an error is due to, by the SQLSTATE of PostgreSQL (its manual, appendix A) or else by the driver's
 * reason; `undefined` for a fault of our own. The error may be wrapped: in a cause, an aggregate, a defect. A cause
 * that holds a fault as well is a fault.
 */
export const outageOf = (error: unknown): DatabaseOutage | undefined => {
  if (!Cause.isCause(error)) return find(error, 0)
  const outages = failuresOf(error).map((failure) => find(failure, 0))
  return outages.every((outage) => outage !== undefined) ? outages[0] : undefined
}

/** Tells if a statement failed because it took longer than it may, or waited for another one, and is not at fault. */
export const isTooSlow = (error: unknown): boolean => {
  const name = outageOf(error)?.name
  return name === slow.name || name === silent.name
}

/** Logs a failure: an outage as one with all others that it caused, anything else with its cause. */
export const logFailure = (message: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const outage = outageOf(cause)
  return outage === undefined ? Effect.logError(message, cause) : OutageLog.report(outage)
}

/**
 * Makes a write that no outcome depends on, such as the time at which something was last used. Its failure is only
 * logged, so that a database that is full or read-only goes on serving reads. Not for use inside a transaction, which
 * the failure of one statement aborts.
 */
export const bestEffort =
  (message: string) => <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.catchCause(
      Effect.asVoid(write),
      (cause) => Cause.hasInterruptsOnly(cause) ? Effect.interrupt : logFailure(message, cause)
    )

/** Tells whether this node has had statements without an answer in the last seconds. */
export const leavesUnanswered: Effect.Effect<boolean> = Effect.map(
  OutageLog.OpenOutages,
  (open) => [away, slow, silent, waiting].some(({ name }) => open.has(name))
)

type Kind = Omit<OutageLog.Outage, "reason">

/** Nothing tells a lock from a network that drops all, which takes longer: a silent database is no brief outage. */
const because = (kind: Kind, reason: string): DatabaseOutage => ({ ...kind, reason, isBrief: kind === slow })

const away: Kind = {
  name: "database away",
  what: "The database cannot be reached.",
  remedy: "Check that PostgreSQL runs, and that DATABASE_URL names it."
}
const refused: Kind = {
  name: "database refuses us",
  what: "The database refuses connections of this server.",
  remedy: "Check the user, the password and the database in DATABASE_URL, and pg_hba.conf."
}
const denied: Kind = {
  name: "database denies",
  what: "The role of this server lacks a right in the database.",
  remedy: "Give it the rights in docs/operations/install.md."
}
/** A database that can be read, and takes no writes. */
export const readOnly: Kind = {
  name: "database read-only",
  what: "The database accepts no writes. Checks of tokens and pages that only read go on.",
  remedy: "Promote the standby, or end default_transaction_read_only."
}
/** Same for lack of room: it shows in the writes that fail, and in nothing that is asked. */
export const full: Kind = {
  name: "database full",
  what: "The disk of the database is full. Checks of tokens and pages that only read go on.",
  remedy: "Make room on it."
}
/** Same while commits wait for what is not there. */
export const waiting: Kind = {
  name: "database commits wait",
  what: "Commits of the database do not come back. Checks of tokens and pages that only read go on.",
  remedy: "See wait_event in pg_stat_activity: where it is SyncRep, bring the synchronous standby back " +
    "(docs/failover.md); else look at the disk of the log."
}
const exhausted: Kind = {
  name: "database exhausted",
  what: "The database has no connection or no memory left.",
  remedy: "Raise its limits (max_connections, CONNECTION LIMIT), or run fewer processes."
}
const systemError: Kind = {
  name: "database system error",
  what: "The operating system of the database fails.",
  remedy: "See PostgreSQL's log, and check its disks."
}
const slow: Kind = {
  name: "database slow",
  what: "Statements take too long, or exclude each other.",
  remedy: "See pg_stat_activity for long transactions and for locks."
}
/** A statement has no answer, and its connection was thrown away. */
export const silent: Kind = {
  name: "database silent",
  what: "The database does not answer in time.",
  remedy: "See pg_stat_activity for locks and long transactions; if it shows none, check the network to the database."
}
/**
 * PgBouncer reports each parameter of a session that its settings do not ignore, and mixes up prepared statements
 * otherwise.
 */
const pooled: Kind = {
  name: "database pooled",
  what: "The database is reached through a pooler that was not expected.",
  remedy: "Set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to PostgreSQL itself (docs/failover.md)."
}

const bySqlState: Readonly<Record<string, Kind>> = {
  "25006": readOnly,
  // Time-outs that end the session, not only the statement.
  "25P03": away,
  "25P04": slow,
  "3D000": refused,
  "42501": denied,
  "53100": full,
  "55P03": slow,
  "57014": slow,
  // A prepared statement of another session, or one that another has prepared already.
  "26000": pooled,
  "42P05": pooled
}
const byClass: Readonly<Record<string, Kind>> = {
  "08": away,
  "28": refused,
  "40": slow,
  "53": exhausted,
  "57": away,
  "58": systemError
}
const byReason: { readonly [Tag in SqlError.SqlErrorReason["_tag"]]?: Kind } = {
  AuthenticationError: refused,
  ConnectionError: away,
  DeadlockError: slow,
  LockTimeoutError: slow,
  SerializationError: slow,
  StatementTimeoutError: slow
}

const find = (error: unknown, depth: number): DatabaseOutage | undefined => {
  if (!Predicate.isObject(error) || depth > maxDepth) return undefined
  if (error instanceof SilentConnection) return because(silent, error.message)
  if (error instanceof CommitsWait) return because(waiting, error.message)
  const state = "code" in error && typeof error.code === "string" && sqlState.test(error.code) ? error.code : undefined
  if (state !== undefined) {
    const reason = messageOf(error)
    const kind = reason.startsWith(refusedParameter)
      ? pooled
      : bySqlState[state] ?? byClass[state.slice(0, 2)] ?? (endsSession(error) ? systemError : undefined)
    return kind && because(kind, `${reason} (SQLSTATE ${state})`)
  }
  for (const inner of innerErrors(error)) {
    const outage = find(inner, depth + 1)
    if (outage !== undefined) return outage
  }
  const kind = SqlError.isSqlErrorReason(error) ? byReason[error._tag] : undefined
  return kind && because(kind, rootMessage(error))
}

/**
 * Tells whether the server has ended the session with its error. No statement of ours makes it do so, and some of
 * its reasons have the SQLSTATE of an internal error, XX000: that no file of a new session could be written is one.
 */
const endsSession = (error: object): boolean =>
  "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC")

// The code of an error of the system, such as EPIPE, is none.
const sqlState = /^(?:\d[0-9A-Z]{4}|XX\d{3})$/
/** Words of PgBouncer, whose own errors all have the SQLSTATE 08P01. */
const refusedParameter = "unsupported startup parameter"
// An error may be among its own causes.
const maxDepth = 8

const innerErrors = (error: object): ReadonlyArray<unknown> => {
  if (Cause.isCause(error)) return failuresOf(error)
  if (error instanceof AggregateError) return error.errors
  return "cause" in error ? [error.cause] : []
}

const failuresOf = ({ reasons }: Cause.Cause<unknown>): ReadonlyArray<unknown> =>
  reasons.flatMap((reason) =>
    Cause.isInterruptReason(reason) ? [] : [Cause.isFailReason(reason) ? reason.error : reason.defect]
  )

/** Words of the system or the server, which the driver has wrapped in its own. */
export const rootMessage = (error: object): string => messageOf(deepest(error, 0))

const deepest = (error: object, depth: number): object => {
  const [inner] = innerErrors(error)
  return Predicate.isObject(inner) && depth < maxDepth ? deepest(inner, depth + 1) : error
}

const messageOf = (error: object): string => "message" in error ? String(error.message) : "no reason given"

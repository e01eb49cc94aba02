import { Context, DateTime, Effect, Layer, Schedule, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import * as Column from "../../foundation/database/Column.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../foundation/database/Rows.ts"
import { type Act, reportActs } from "./SecurityEvents.ts"

/**
 * Append-only trail of who did what to which client, account or grant. Each service that changes one of them records
 * it; the reviewer's page about an app shows it.
 */
export class AuditLog extends Context.Service<AuditLog, {
  /**
   * Adds an entry in the caller's transaction: it is committed if and only if the change that it records is. One that
   * is a security event is a line in the log as well, once it is committed.
   */
  record(entry: NewEntry): Effect.Effect<void>
  /** Same for many at once. */
  recordAll(entries: ReadonlyArray<NewEntry>): Effect.Effect<void>
  /** Clients among these that have an entry of this action. */
  withAction(action: string, clientIds: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>>
  list(filter: Filter): Effect.Effect<ReadonlyArray<Entry>>
  /** Entries younger than the one of this id, the oldest first. */
  listAfter(id: string, filter: Filter): Effect.Effect<ReadonlyArray<Entry>>
  /** Id of the newest entry, or `0`. Entries before it may still be missing: `writersEnded` waits for those. */
  readonly newestId: Effect.Effect<string>
  /** Waits until all transactions have ended that write now. */
  readonly writersEnded: Effect.Effect<void>
}>()("slotkey/core/audit/AuditLog") {
  static readonly layer: Layer.Layer<AuditLog, never, SqlClient.SqlClient> = Layer.effect(
    AuditLog,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const recordAll = Effect.fn("AuditLog.recordAll")(function*(entries: ReadonlyArray<NewEntry>) {
        const now = yield* DatabaseClock.statementNow
        const column = (of: (entry: NewEntry) => string | null) => Column.texts(entries.map(of))
        // The transaction gets its id before the entries get theirs, so that `writersEnded` waits for it.
        yield* sql`INSERT INTO audit_log (at, actor, action, client_id, user_id, grant_id, details)
          SELECT ${now}, e.actor, e.action, e.client_id, e.user_id, e.grant_id::uuid, e.details::jsonb
          FROM pg_current_xact_id(), unnest(${column(({ actor }) => actor)}, ${column(({ action }) => action)},
            ${column(({ clientId }) => clientId ?? null)}, ${column(({ userId }) => userId ?? null)},
            ${column(({ grantId }) => grantId ?? null)},
            ${column(({ details }) => JSON.stringify(details ?? {}, storable))})
          AS e (actor, action, client_id, user_id, grant_id, details)`
        yield* sql.afterCommit(reportActs(entries))
      }, Effect.orDie)

      const withAction = Effect.fn("AuditLog.withAction")(function*(action: string, clientIds: ReadonlyArray<string>) {
        const rows = yield* sql<{ clientId: string }>`SELECT DISTINCT client_id FROM audit_log
          WHERE client_id = ANY(${clientIds}::text[]) AND action = ${action}`
        return new Set(rows.map(({ clientId }) => clientId))
      }, Effect.orDie)

      const conditions = (filter: Filter) => [
        ...(filter.actor === undefined ? [] : [sql`actor = ${filter.actor}`]),
        ...(filter.clientId === undefined ? [] : [sql`client_id = ${filter.clientId}`]),
        ...(filter.userId === undefined ? [] : [sql`user_id = ${filter.userId}`]),
        ...(filter.actions === undefined ? [] : [sql`action = ANY(${filter.actions}::text[])`]),
        ...(filter.since === undefined ? [] : [sql`at >= ${DateTime.toDateUtc(filter.since)}`]),
        ...(filter.until === undefined ? [] : [sql`at < ${DateTime.toDateUtc(filter.until)}`]),
        ...(filter.before === undefined ? [] : [sql`id < ${filter.before}::text::bigint`]),
        ...(filter.upTo === undefined ? [] : [sql`id <= ${filter.upTo}::text::bigint`])
      ]
      const columns = sql`id::text, at, actor, action, client_id, user_id, grant_id, details`

      const select = (filter: Filter, place: Statement.Fragment, order: "ASC" | "DESC") =>
        allEntries(sql`SELECT ${columns} FROM audit_log WHERE ${sql.and([place, ...conditions(filter)])}
          ORDER BY audit_log.id ${sql.literal(order)} LIMIT ${filter.limit ?? 100}`)

      const list = Effect.fn("AuditLog.list")((filter: Filter) => select(filter, sql`true`, "DESC"), Effect.orDie)

      const listAfter = Effect.fn("AuditLog.listAfter")(
        (id: string, filter: Filter) => select(filter, sql`id > ${id}::text::bigint`, "ASC"),
        Effect.orDie
      )

      const newestId = Effect.orDie(sql<{ id: string }>`SELECT coalesce(max(id), 0)::text AS id FROM audit_log`).pipe(
        Effect.map(([row]) => row?.id ?? "0")
      )

      // The id of a transaction of our own is above those of all that write: the end of a snapshot is not.
      const writersEnded = Effect.gen(function*() {
        const [mark] = yield* sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`
        const writing = sql`SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) < ${mark?.id}::text::xid8`
        yield* Effect.repeat(writing, { schedule: Schedule.spaced("1 second"), while: (rows) => rows.length > 0 })
      }).pipe(Effect.asVoid, Effect.orDie)

      return AuditLog.of({
        record: (entry) => recordAll([entry]),
        recordAll,
        withAction,
        list,
        listAfter,
        newestId,
        writersEnded
      })
    })
  )
}

const details = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
)

export interface NewEntry extends Act {
  /** Never a secret, a code or a token. */
  readonly details?: typeof details.Type
}

export interface Filter {
  readonly actor?: string | undefined
  readonly clientId?: ClientId | undefined
  readonly userId?: UserId | undefined
  readonly actions?: ReadonlyArray<string> | undefined
  readonly since?: DateTime.Utc | undefined
  readonly until?: DateTime.Utc | undefined
  /** Only entries older than the one of this id: the next page. */
  readonly before?: string | undefined
  /** Only entries up to the one of this id. */
  readonly upTo?: string
  readonly limit?: number
}

export class Entry extends Schema.Class<Entry>("AuditEntry")({
  id: Schema.String,
  at: Schema.DateTimeUtcFromDate,
  actor: Schema.String,
  action: Schema.String,
  clientId: Schema.NullOr(ClientId),
  userId: Schema.NullOr(UserId),
  grantId: Schema.NullOr(GrantId),
  details
}) {}

/** Reads rows of `audit_log`. */
export const allEntries = Rows.all(Entry)

/** Actions after which an app is suspended, and those after which it is no more. */
export const suspending = ["client.suspended", "client.resumption_undone"]
export const resuming = ["client.resumed", "client.suspension_undone"]

/** Actions whose entries are kept for good: a deleted app is not imported again, a suspended one stays suspended. */
export const lastingActions = ["client.deleted", ...suspending, ...resuming]

// Details may hold text from outside: PostgreSQL stores neither NUL nor lone surrogates, and an entry must not fail.
const storable = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "\ufffd").toWellFormed() : value

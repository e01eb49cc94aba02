import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import * as Column from "../../database/Column.ts"
import { DatabaseClock } from "../../database/DatabaseClock.ts"
import * as Sweep from "../../database/Sweep.ts"

/** A job that was published and is neither done nor dead. */
export const OpenJob = Schema.Struct({
  id: Schema.BigInt,
  queue: Schema.String,
  subject: Schema.String,
  payload: Schema.Unknown,
  createdAt: Schema.DateTimeUtcFromDate,
  /** When it was due, if it had to wait. */
  dueAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  replayedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** Span that published it, if there was one. */
  traceparent: Schema.NullOr(Schema.String)
})
export type OpenJob = typeof OpenJob.Type

/** A dead letter: a job that is not tried again until an operator replays it. */
const DeadJob = Schema.Struct({
  id: Schema.BigInt,
  queue: Schema.String,
  subject: Schema.String,
  createdAt: Schema.DateTimeUtcFromDate,
  deadAt: Schema.DateTimeUtcFromDate,
  cause: Schema.NullOr(Schema.String)
})
type DeadJob = typeof DeadJob.Type

/** A dead letter that was replayed or deleted. */
export interface DeadLetter {
  readonly id: bigint
  readonly queue: string
}

/** Some of the dead letters: those with these ids, those of one queue, or all. */
export type DeadSelection = "all" | { readonly queue: string } | { readonly ids: ReadonlyArray<bigint> }

/** Published jobs of one queue that are not done: one record counts the open ones, another the dead letters. */
const Backlog = Schema.Struct({
  queue: Schema.String,
  open: Schema.Int,
  /** Open jobs that have not been enqueued yet. */
  waiting: Schema.Int,
  /** When the oldest open job was due; jobs that are not due yet are late for nothing. */
  oldest: Schema.NullOr(Schema.DateTimeUtcFromDate),
  dead: Schema.Int
})
type Backlog = typeof Backlog.Type

/** Id that the job of an outbox row has in its queue; BullMQ ignores a second job with the same id. */
export const jobId = (id: bigint): string => `outbox-${id}`

/** Outbox row of a job in a queue; a scheduled job has none. */
export const outboxId = (job: string): Option.Option<bigint> => {
  const digits = /^outbox-(\d+)$/.exec(job)?.[1]
  return digits === undefined ? Option.none() : Option.some(BigInt(digits))
}

/** Outbox as the relay, the workers and operators use it. */
export class OutboxRepo extends Context.Service<OutboxRepo, {
  /**
   * Next jobs to enqueue, in the order of publication: the first open job of each queue and subject, where it is due.
   */
  next(limit: number): Effect.Effect<ReadonlyArray<OpenJob>>
  /** Open jobs that were last seen in their queue before this time. */
  notSeenSince(before: DateTime.Utc, limit: number): Effect.Effect<ReadonlyArray<OpenJob>>
  /** Records that the jobs are in their queues now. */
  markSeen(ids: ReadonlyArray<bigint>): Effect.Effect<void>
  find(id: bigint): Effect.Effect<Option.Option<{ readonly open: boolean; readonly createdAt: DateTime.Utc }>>
  markDone(id: bigint): Effect.Effect<void>
  /** Puts the job aside with the cause; it blocks its subject no longer. */
  deadLetter(id: bigint, cause: string): Effect.Effect<void>
  dead(limit: number): Effect.Effect<ReadonlyArray<DeadJob>>
  /** Lets dead letters be tried again from the start, and returns them. */
  replay(selection: DeadSelection): Effect.Effect<ReadonlyArray<DeadLetter>>
  /** Deletes dead letters, and returns them. */
  discard(selection: DeadSelection): Effect.Effect<ReadonlyArray<DeadLetter>>
  /** Queues that have open jobs or dead letters. */
  readonly backlog: Effect.Effect<ReadonlyArray<Backlog>>
}>()("slotkey/foundation/jobs/outbox/OutboxRepo") {
  static readonly layer: Layer.Layer<OutboxRepo, never, SqlClient.SqlClient> = Layer.effect(
    OutboxRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = DatabaseClock.statementNow

      const next = SqlSchema.findAll({
        Request: Schema.Int,
        Result: OpenJob,
        // What somebody takes back is locked until that has happened or not (`Outbox.withdraw`).
        execute: (limit) =>
          Effect.flatMap(now, (now) =>
            sql`WITH due AS (
                SELECT id FROM outbox WHERE due_at <= ${now}
                  AND enqueued_at IS NULL AND done_at IS NULL AND dead_at IS NULL FOR KEY SHARE SKIP LOCKED
              )
              SELECT ${columns} FROM outbox o
              WHERE enqueued_at IS NULL AND done_at IS NULL AND dead_at IS NULL
                AND (due_at IS NULL OR id IN (SELECT id FROM due)) AND NOT EXISTS (
                  SELECT 1 FROM outbox e WHERE e.queue = o.queue AND e.subject = o.subject AND e.id < o.id
                    AND e.done_at IS NULL AND e.dead_at IS NULL
                )
              ORDER BY id LIMIT ${limit}`)
      })

      const notSeenSince = SqlSchema.findAll({
        Request: Schema.Struct({ before: Schema.DateTimeUtcFromDate, limit: Schema.Int }),
        Result: OpenJob,
        execute: ({ before, limit }) =>
          sql`SELECT ${columns} FROM outbox
              WHERE enqueued_at < ${before} AND done_at IS NULL AND dead_at IS NULL
              ORDER BY enqueued_at LIMIT ${limit}`
      })

      const markSeen = Effect.fnUntraced(function*(ids: ReadonlyArray<bigint>) {
        if (ids.length === 0) return
        yield* sql`UPDATE outbox SET enqueued_at = ${yield* now} WHERE ${sql.in("id", ids)}`
      })

      const find = SqlSchema.findOneOption({
        Request: Schema.BigInt,
        Result: Schema.Struct({ open: Schema.Boolean, createdAt: Schema.DateTimeUtcFromDate }),
        execute: (id) => sql`SELECT done_at IS NULL AS open, created_at FROM outbox WHERE id = ${id}`
      })

      const markDone = Effect.fnUntraced(function*(id: bigint) {
        yield* sql`UPDATE outbox SET done_at = ${yield* now}, dead_at = NULL, cause = NULL
          WHERE id = ${id} AND done_at IS NULL`
      })

      const deadLetter = Effect.fnUntraced(function*(id: bigint, cause: string) {
        yield* sql`UPDATE outbox SET dead_at = ${yield* now}, cause = ${cause}
          WHERE id = ${id} AND done_at IS NULL`
      })

      const dead = SqlSchema.findAll({
        Request: Schema.Int,
        Result: DeadJob,
        execute: (limit) =>
          sql`SELECT id, queue, subject, created_at, dead_at, cause FROM outbox
              WHERE dead_at IS NOT NULL ORDER BY id DESC LIMIT ${limit}`
      })

      const isSelected = (selection: DeadSelection) => {
        if (selection === "all") return sql`dead_at IS NOT NULL`
        const isNamed = "queue" in selection ? sql`queue = ${selection.queue}` : sql.in("id", selection.ids)
        return sql`dead_at IS NOT NULL AND ${isNamed}`
      }

      const replay = Effect.fnUntraced(function*(selection: DeadSelection) {
        return yield* sql<DeadLetter>`UPDATE outbox
          SET dead_at = NULL, cause = NULL, enqueued_at = NULL, replayed_at = ${yield* now}
          WHERE ${isSelected(selection)} RETURNING id, queue`
      })

      const discard = (selection: DeadSelection) =>
        sql<DeadLetter>`DELETE FROM outbox WHERE ${isSelected(selection)} RETURNING id, queue`

      const backlog = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Backlog,
        execute: () =>
          Effect.flatMap(
            now,
            (now) =>
              sql`SELECT queue, count(*)::int AS open, count(*) FILTER (WHERE enqueued_at IS NULL)::int AS waiting,
                min(coalesce(due_at, created_at)) FILTER (WHERE due_at IS NULL OR due_at <= ${now}) AS oldest, 0 AS dead
              FROM outbox WHERE done_at IS NULL AND dead_at IS NULL GROUP BY queue
              UNION ALL
              SELECT queue, 0, 0, NULL, count(*)::int FROM outbox WHERE dead_at IS NOT NULL GROUP BY queue`
          )
      })

      return OutboxRepo.of({
        next: Effect.fn("OutboxRepo.next")(next, Effect.orDie),
        notSeenSince: Effect.fn("OutboxRepo.notSeenSince")(
          (before: DateTime.Utc, limit: number) => notSeenSince({ before, limit }),
          Effect.orDie
        ),
        markSeen: Effect.fn("OutboxRepo.markSeen")(markSeen, Effect.orDie),
        find: Effect.fn("OutboxRepo.find")(find, Effect.orDie),
        markDone: Effect.fn("OutboxRepo.markDone")(markDone, Effect.orDie),
        deadLetter: Effect.fn("OutboxRepo.deadLetter")(deadLetter, Effect.orDie),
        dead: Effect.fn("OutboxRepo.dead")(dead, Effect.orDie),
        replay: Effect.fn("OutboxRepo.replay")(replay, Effect.orDie),
        discard: Effect.fn("OutboxRepo.discard")(discard, Effect.orDie),
        backlog: Effect.orDie(backlog()).pipe(Effect.withSpan("OutboxRepo.backlog"))
      })
    })
  )
}

const columns = Column.names(OpenJob.fields)

/** An operator can replay a dead letter until it is deleted. */
export const sweeps = [
  Sweep.olderThan({ table: "outbox", column: "done_at", retention: "jobLifetime", rows: "jobs that were done" }),
  Sweep.olderThan({ table: "outbox", column: "dead_at", retention: "deadJobLifetime", rows: "dead letters" })
]

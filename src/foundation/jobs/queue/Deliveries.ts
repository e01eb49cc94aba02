import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { JobContext } from "./Worker.ts"

/** Record of the recipients that a job has told, so that its next attempt tells only the others. */
export class Deliveries extends Context.Service<Deliveries, {
  /**
   * Delivers unless an earlier attempt did, and records it. A process that is killed between the delivery and the
   * record makes the next attempt deliver again; receivers recognise the repeat by the message's id, which stays the
   * same.
   */
  once<E, R>(job: JobContext, recipient: string, deliver: Effect.Effect<void, E, R>): Effect.Effect<void, E, R>
}>()("slotkey/foundation/jobs/queue/Deliveries") {
  static readonly layer: Layer.Layer<Deliveries, never, SqlClient.SqlClient> = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const record = Effect.fnUntraced(function*(id: bigint, recipient: string) {
        yield* sql`INSERT INTO deliveries (outbox_id, recipient, delivered_at)
          VALUES (${id}, ${recipient}, ${DateTime.toDateUtc(yield* DateTime.now)}) ON CONFLICT DO NOTHING`
      })

      const once = <E, R>({ outboxId }: JobContext, recipient: string, deliver: Effect.Effect<void, E, R>) =>
        Option.match(outboxId, {
          onNone: () => deliver,
          onSome: (id) =>
            Effect.gen(function*() {
              const known = sql`SELECT 1 FROM deliveries WHERE outbox_id = ${id} AND recipient = ${recipient}`
              if ((yield* Effect.orDie(known)).length > 0) return
              // A worker that stops must not be interrupted between the two. The record is tried again on another
              // connection, because without it the recipient gets the mail twice.
              yield* Effect.uninterruptible(
                Effect.andThen(deliver, Effect.orDie(Effect.retry(record(id, recipient), { times: 2 })))
              )
            })
        })

      return Deliveries.of({ once })
    })
  )
}

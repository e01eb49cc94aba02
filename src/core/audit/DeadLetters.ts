import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { type DeadLetter, type DeadSelection, OutboxRepo } from "../../foundation/jobs/outbox/OutboxRepo.ts"
import { AuditLog } from "./AuditLog.ts"
import { operator } from "./Operator.ts"

/** What an operator does with dead letters. A call that changes some leaves one entry in the audit trail. */
export class DeadLetters extends Context.Service<DeadLetters, {
  /** Lets dead letters be tried again from the start, and returns their ids. */
  replay(selection: DeadSelection): Effect.Effect<ReadonlyArray<bigint>>
  /** Deletes dead letters, and returns their ids. */
  discard(selection: DeadSelection): Effect.Effect<ReadonlyArray<bigint>>
}>()("slotkey/core/audit/DeadLetters") {
  static readonly layer: Layer.Layer<DeadLetters, never, AuditLog | OutboxRepo | SqlClient.SqlClient> = Layer.effect(
    DeadLetters,
    Effect.gen(function*() {
      const audit = yield* AuditLog
      const outbox = yield* OutboxRepo
      const sql = yield* SqlClient.SqlClient

      const recorded = Effect.fnUntraced(
        function*(action: string, change: Effect.Effect<ReadonlyArray<DeadLetter>>) {
          const letters = yield* change
          if (letters.length > 0) yield* audit.record({ actor: operator, action, details: details(letters) })
          return letters.map(({ id }) => id)
        },
        inTransaction(sql)
      )

      return DeadLetters.of({
        replay: (selection) => recorded("job.replayed", outbox.replay(selection)),
        discard: (selection) => recorded("job.discarded", outbox.discard(selection))
      })
    })
  )
}

// The payload of a job may hold an address or a link, so it stays out.
const details = (letters: ReadonlyArray<DeadLetter>) => ({
  queue: [...new Set(letters.map(({ queue }) => queue))].sort().join(", "),
  jobs: letters.length,
  ...letters.length <= maxIds && { ids: letters.map(({ id }) => id).sort(byNumber).join(", ") }
})

// As many as somebody reads in a line.
const maxIds = 20

const byNumber = (a: bigint, b: bigint) => Number(a - b)

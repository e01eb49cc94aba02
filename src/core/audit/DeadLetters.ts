import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { type DeadLetter, type DeadSelection, OutboxRepo } from "../../foundation/jobs/outbox/OutboxRepo.ts"
import { AuditLog } from "./AuditLog.ts"
import { operator } from "./Operator.ts"

// What an operator does with dead letters. A call that changes some leaves one entry in the audit trail.

/** Lets dead letters be tried again from the start, and returns their ids. */
export const replay = (selection: DeadSelection) => change("job.replayed", ({ replay }) => replay(selection))

/** Deletes dead letters, and returns their ids. */
export const discard = (selection: DeadSelection) => change("job.discarded", ({ discard }) => discard(selection))

const change = Effect.fnUntraced(
  function*(action: string, run: (outbox: OutboxRepo["Service"]) => Effect.Effect<ReadonlyArray<DeadLetter>>) {
    const audit = yield* AuditLog
    const letters = yield* run(yield* OutboxRepo)
    if (letters.length > 0) yield* audit.record({ actor: operator, action, details: details(letters) })
    return letters.map(({ id }) => id)
  },
  (self) => Effect.flatMap(SqlClient.SqlClient, (sql) => inTransaction(sql)(self))
)

// The payload of a job may hold an address or a link, so it stays out.
const details = (letters: ReadonlyArray<DeadLetter>) => ({
  queue: [...new Set(letters.map(({ queue }) => queue))].sort().join(", "),
  jobs: letters.length,
  ...letters.length <= maxIds && { ids: letters.map(({ id }) => id).sort(byNumber).join(", ") }
})

// As many as somebody reads in a line.
const maxIds = 20

const byNumber = (a: bigint, b: bigint) => Number(a - b)

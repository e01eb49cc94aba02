import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict } from "../../../domain/ApiError.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import type { ManagedClient } from "../records/Client.ts"
import { type MessageKind, ReviewMessage } from "./ReviewMessage.ts"

/** Table `review_messages`: what reviewers and the owner of an app wrote about it, for `ReviewDesk`. */
export const reviewMessages = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const columns = sql`id::text, kind, author, text, version, at`

  /** All of an app, the oldest first. */
  const list = (id: ClientId) =>
    Effect.orDie(
      allMessages(sql`SELECT ${columns} FROM review_messages WHERE client_id = ${id} ORDER BY review_messages.id`)
    )

  /** Adds one; the caller has locked the app, so that the limits hold. */
  const add = Effect.fnUntraced(function*(
    { id, version }: ManagedClient,
    author: UserId,
    kind: MessageKind,
    text: string
  ) {
    const before = yield* list(id)
    if (before.length >= mostMessages) return yield* threadFull
    const unheard = before.length - before.findLastIndex((one) => one.kind !== "note" && one.kind !== kind) - 1
    const inRow = before.slice(before.length - unheard).filter((one) => one.kind === kind).length
    if (kind !== "note" && inRow >= mostInRow) return yield* unanswered
    return Option.getOrThrow(
      yield* firstMessage(sql`INSERT INTO review_messages (client_id, author, kind, text, version, at)
        VALUES (${id}, ${author}, ${kind}, ${text}, ${version}, ${yield* DatabaseClock.statementNow})
        RETURNING ${columns}`)
    )
  }, Effect.catchTag("SqlError", Effect.die))

  return { list, add }
})

/** Makes what forgets a deleted account: its messages stay, without an author, and its claims do not. */
export const forgetReviewer = Effect.map(
  SqlClient.SqlClient,
  (sql) => (userId: UserId) =>
    sql`WITH claims AS (DELETE FROM review_claims WHERE reviewer = ${userId})
      UPDATE review_messages SET author = NULL WHERE author = ${userId}`
)

export const sweeps = [
  Sweep.olderThan({
    table: "review_messages",
    retention: "auditLifetime",
    rows: "notes, questions and answers about apps that were reviewed",
    column: "at"
  })
]

/** Each question is a mail to the owner, and each answer news to all reviewers. */
const mostInRow = 5
const mostMessages = 200

const allMessages = Rows.all(ReviewMessage)
const firstMessage = Rows.first(ReviewMessage)

const unanswered = new Conflict({
  code: "unanswered",
  message: `${mostInRow} messages in a row are enough. Write more when somebody has answered.`
})
const threadFull = new Conflict({
  code: "thread_full",
  message: `An app has at most ${mostMessages} messages; older ones are deleted with time.`
})

import { Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import type { Tell } from "../life/ClientCommands.ts"
import { ManagedClient } from "../records/Client.ts"
import { DecisionKind, Undoable } from "./Decision.ts"

/** A decision as it is kept until it can be taken back no more. */
export const Decision = Schema.Struct({
  id: Schema.BigInt,
  reviewer: Schema.String,
  kind: DecisionKind,
  at: Schema.DateTimeUtcFromDate,
  /** Version of the app that the decision made. */
  versionAfter: Schema.Int,
  /** App as it was. */
  before: Schema.toCodecJson(ManagedClient),
  /** Jobs that wait as long. */
  notices: Schema.Array(Schema.BigInt),
  /** Tells whether it may still be taken back. */
  isOpen: Schema.Boolean
})
export type Decision = typeof Decision.Type

/** Table `review_decisions`: what reviewers decided in the last minutes, with the app as it was. */
export const decisionStore = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const { reviewUndoWindow } = yield* AppConfig
  const now = DatabaseClock.statementNow

  /** Publishes the notice of a decision, which waits as long as the reviewer may take the decision back. */
  const keep = (reviewer: UserId): Tell =>
    Effect.fnUntraced(function*(before, { client, event }, notice) {
      if (Duration.isZero(reviewUndoWindow) || !isKind(event)) return yield* outbox.publish(notice)
      const id = yield* outbox.delay(notice, reviewUndoWindow)
      yield* sql`INSERT INTO review_decisions
        (client_id, reviewer, kind, at, until, version_before, version_after, before, notices)
        SELECT ${client.id}, ${reviewer}, ${event}, created_at, due_at, ${before.version}, ${client.version},
          ${encode(before)}::jsonb, ARRAY[id] FROM outbox WHERE id = ${id}`
    }, Effect.orDie)

  /** Last decision about an app. */
  const last = Effect.fn("DecisionStore.last")(function*(clientId: ClientId) {
    return yield* decisionOf(sql`SELECT id, reviewer, kind, at, version_after, before, notices,
        until > ${yield* now} AS is_open
      FROM review_decisions WHERE client_id = ${clientId} ORDER BY review_decisions.id DESC LIMIT 1`)
  }, Effect.orDie)

  const markUndone = Effect.fn("DecisionStore.markUndone")(function*({ id }: Decision) {
    yield* sql`UPDATE review_decisions SET undone_at = ${yield* now} WHERE id = ${id}`
  }, Effect.orDie)

  /** Decisions that this reviewer may take back, the newest first. */
  const undoable = Effect.fn("DecisionStore.undoable")(function*(reviewer: UserId) {
    return yield* allUndoable(sql`SELECT client_id, name, d.kind, d.at, until, version FROM review_decisions d
        JOIN clients c ON c.id = client_id AND version = version_after
      WHERE reviewer = ${reviewer} AND until > ${yield* now} AND undone_at IS NULL ORDER BY d.id DESC LIMIT 100`)
  }, Effect.orDie)

  return { keep, last, markUndone, undoable }
})

export const sweeps = [
  Sweep.where({
    table: "review_decisions",
    retention: Duration.days(1),
    rows: "decisions of reviewers with the app as it was, which can be taken back no more"
  }, (sql, ago) => sql`until <= ${ago(Duration.days(1))}`)
]

const isKind = Schema.is(DecisionKind)
const encodeClient = Schema.encodeSync(Schema.toCodecJson(ManagedClient))
const encode = (client: ManagedClient): string => JSON.stringify(encodeClient(client))
const decisionOf = Rows.first(Decision)
const allUndoable = Rows.all(Undoable)

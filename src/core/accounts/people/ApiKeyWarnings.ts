import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeyId, UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { ApiKeyEndMail } from "../../../foundation/jobs/kinds/ApiKeyEndMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"

/**
 * Publishes the mails that warn owners before their API keys end: one mail for all keys of an owner, and each key once.
 * Answers their number.
 */
export const publishKeyWarnings = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const now = DateTime.toDateUtc(yield* DateTime.now)
  // The owner of a key that was made for less time than that knows its end.
  const warnFrom = sql`expires_at - ${Column.interval(lead)}`
  const publish = allOwners(
    sql`WITH warned AS (
        UPDATE api_keys SET warned_at = ${now}
        WHERE revoked_at IS NULL AND warned_at IS NULL AND expires_at > ${now}
          AND ${warnFrom} <= ${now} AND created_at < ${warnFrom}
        RETURNING user_id, id
      ) SELECT user_id, array_agg(id ORDER BY id) AS api_key_ids FROM warned GROUP BY user_id ORDER BY user_id`
  ).pipe(
    Effect.tap((owners) => outbox.publishAll(owners.map((owner) => ApiKeyEndMail.make(owner)))),
    inTransaction(sql)
  )
  return (yield* publish).length
}).pipe(Effect.withSpan("ApiKeyWarnings.publish"))

/** Time that is left to replace a key. */
const lead = Duration.days(7)

const allOwners = Rows.all(Schema.Struct({ userId: UserId, apiKeyIds: Schema.Array(ApiKeyId) }))

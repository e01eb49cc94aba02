import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeyId, UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { ApiKeyEndMail } from "../../../foundation/jobs/kinds/ApiKeyEndMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"

/** Mails that warn owners before their API keys end: one mail for all keys of an owner, and each key once. */
export class ApiKeyWarnings extends Context.Service<ApiKeyWarnings, {
  /** Publishes the mails that are due; answers their number. */
  readonly publish: Effect.Effect<number>
}>()("slotkey/core/accounts/people/ApiKeyWarnings") {
  static readonly layer: Layer.Layer<ApiKeyWarnings, never, Outbox | SqlClient.SqlClient> = Layer.effect(
    ApiKeyWarnings,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const outbox = yield* Outbox

      const publish = Effect.gen(function*() {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        // The owner of a key that was made for less time than that knows its end.
        const warnFrom = sql`expires_at - ${Column.interval(lead)}`
        const owners = yield* allOwners(
          sql`WITH warned AS (
              UPDATE api_keys SET warned_at = ${now}
              WHERE revoked_at IS NULL AND warned_at IS NULL AND expires_at > ${now}
                AND ${warnFrom} <= ${now} AND created_at < ${warnFrom}
              RETURNING user_id, id
            ) SELECT user_id, array_agg(id ORDER BY id) AS api_key_ids FROM warned GROUP BY user_id ORDER BY user_id`
        )
        yield* outbox.publishAll(owners.map((owner) => ApiKeyEndMail.make(owner)))
        return owners.length
      }).pipe(sql.withTransaction, Effect.orDie, Effect.withSpan("ApiKeyWarnings.publish"))

      return ApiKeyWarnings.of({ publish })
    })
  )
}

/** Time that is left to replace a key. */
const lead = Duration.days(7)

const allOwners = Rows.all(Schema.Struct({ userId: UserId, apiKeyIds: Schema.Array(ApiKeyId) }))

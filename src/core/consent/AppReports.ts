import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest } from "../../domain/ApiError.ts"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import * as Input from "../../domain/Input.ts"
import { Text } from "../../domain/Text.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog, type Entry } from "../audit/AuditLog.ts"
import { Budgets } from "../limits/Budgets.ts"

/**
 * What users tell reviewers of an app. A report is an entry of the trail; a user has one of an app, so that a crowd of
 * them is a crowd of users.
 */
export class AppReports extends Context.Service<AppReports, {
  report(userId: UserId, clientId: ClientId, why: string): Effect.Effect<void, BadRequest>
  /** Latest reports of an app, fifty at most. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<Entry>>
}>()("slotkey/core/consent/AppReports") {
  static readonly layer = Layer.effect(
    AppReports,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets

      const report = Effect.fn("AppReports.report")(
        function*(userId: UserId, clientId: ClientId, why: string) {
          const { reason } = yield* decodeReport({ reason: why })
          yield* budgets.spend("report", userId)
          const earlier = yield* audit.list({ clientId, userId, actions: [action], limit: 1 })
          if (earlier.length > 0) return
          yield* audit.record({ actor: userId, action, clientId, userId, details: { reason } })
        },
        inTransaction(sql)
      )

      return AppReports.of({ report, list: (clientId) => audit.list({ clientId, actions: [action], limit: 50 }) })
    })
  )
}

const action = "client.reported"

const decodeReport = Input.decode(Schema.Struct({ reason: Text(1, 500) }))

import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest } from "../../domain/ApiError.ts"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import * as Input from "../../domain/Input.ts"
import { Text } from "../../domain/Text.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import { AuditLog, type Entry } from "../audit/AuditLog.ts"
import type { Reviewer } from "../clients/life/ClientCommands.ts"
import { openReports, reported, reportsSettled } from "../clients/life/OpenReports.ts"
import { Budgets } from "../limits/Budgets.ts"

/**
 * What users tell reviewers of an app. A report is an entry of the trail; a user has one of an app, so that a crowd of
 * them is a crowd of users.
 */
export class AppReports extends Context.Service<AppReports, {
  report(userId: UserId, clientId: ClientId, why: string): Effect.Effect<void, BadRequest>
  /** Latest reports of an app, fifty at most. */
  list(clientId: ClientId): Effect.Effect<ReadonlyArray<Entry>>
  /** Number of reports of the app that no reviewer has dealt with (`OpenReports`). */
  countOpen(clientId: ClientId): Effect.Effect<number>
  /** Notes that a reviewer has looked into the reports of an app: until there is another one it is not flagged. */
  settle(by: Reviewer, clientId: ClientId): Effect.Effect<void>
}>()("slotkey/core/consent/AppReports") {
  static readonly layer = Layer.effect(
    AppReports,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const open = yield* openReports

      const report = Effect.fn("AppReports.report")(
        function*(userId: UserId, clientId: ClientId, why: string) {
          const { reason } = yield* decodeReport({ reason: why })
          yield* budgets.spend("report", userId)
          const earlier = yield* audit.list({ clientId, userId, actions: [reported], limit: 1 })
          if (earlier.length > 0) return
          yield* audit.record({ actor: userId, action: reported, clientId, userId, details: { reason } })
        },
        inTransaction(sql)
      )

      const countOpen = Effect.fn("AppReports.countOpen")((clientId: ClientId) =>
        sql<{ reports: number }>`SELECT reports FROM ${open} open WHERE client_id = ${clientId}`.pipe(
          Effect.map(([row]) => row?.reports ?? 0),
          Effect.orDie
        )
      )

      return AppReports.of({
        report,
        list: (clientId) => audit.list({ clientId, actions: [reported], limit: 50 }),
        countOpen,
        settle: (by, clientId) => audit.record({ actor: by, action: reportsSettled, clientId })
      })
    })
  )
}

const decodeReport = Input.decode(Schema.Struct({ reason: Text(1, 500) }))

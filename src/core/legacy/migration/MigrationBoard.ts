import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { ReviewNotice } from "../../../foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import type { Account } from "../../accounts/Account.ts"
import { IdentitySource } from "../../accounts/IdentitySource.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { type Day, LegacyTraffic, unscoped } from "./LegacyTraffic.ts"
import type { MigrationAudit } from "./MigrationAudit.ts"
import { MigrationAudits } from "./MigrationAudits.ts"

/** `open`: apps still without scopes; `migrated`: legacy apps whose scopes are saved. */
export const BoardState = Schema.Literals(["open", "migrated"])
export type BoardState = typeof BoardState.Type

export interface BoardApp {
  readonly id: ClientId
  readonly name: string
  readonly ownerId: UserId
  readonly owner: Account | undefined
  /** The last mail that asked its owner to move it. */
  readonly askedAt: DateTime.Utc | null
  readonly audit: MigrationAudit
  /** Its requests of the last 30 days, the oldest day first. */
  readonly trend: ReadonlyArray<Day>
}

export interface BoardPage {
  readonly apps: ReadonlyArray<BoardApp>
  readonly total: number
  readonly page: number
  readonly pages: number
  /** The number of apps whose owners would get a mail now. */
  readonly due: number
}

/** The overview of all legacy apps for administrators (specification §5.6): `/review/migration`. */
export class MigrationBoard extends Context.Service<MigrationBoard, {
  /** Apps with most requests without scope come first. */
  list(state: BoardState, page: number): Effect.Effect<BoardPage>
  /** Asks the owners of all apps without scopes to move them, for each app once a week at most; answers how many. */
  ask(admin: UserId): Effect.Effect<number>
}>()("slotkey/core/legacy/migration/MigrationBoard") {
  static readonly layer: Layer.Layer<
    MigrationBoard,
    never,
    SqlClient.SqlClient | AppConfig | AuditLog | IdentitySource | LegacyTraffic | MigrationAudits | Outbox
  > = Layer.effect(
    MigrationBoard,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const audits = yield* MigrationAudits
      const identities = yield* IdentitySource
      const outbox = yield* Outbox
      const traffic = yield* LegacyTraffic
      const { migrationAuditDays } = yield* AppConfig

      const ofState = (legacy: boolean) => sql`c.legacy = ${legacy} AND (c.legacy OR c.migrated_at IS NOT NULL)`

      const rows = SqlSchema.findAll({
        Request: Schema.Struct({ legacy: Schema.Boolean, offset: Schema.Int, from: Schema.DateTimeUtcFromDate }),
        Result: Row,
        execute: ({ from, legacy, offset }) =>
          sql`SELECT c.id, c.name, c.owner_id, m.asked_at
            FROM clients c LEFT JOIN migration_mails m ON m.client_id = c.id
            LEFT JOIN (
              SELECT client_id, sum(requests) AS requests FROM legacy_authorizations
              WHERE scope = ${unscoped} AND last_at >= ${from} GROUP BY client_id
            ) t ON t.client_id = c.id
            WHERE ${ofState(legacy)}
            ORDER BY t.requests DESC NULLS LAST, lower(c.name), c.id LIMIT ${pageSize} OFFSET ${offset}`
      })

      const list = Effect.fn("MigrationBoard.list")(function*(state: BoardState, wanted: number) {
        const now = yield* DateTime.now
        const from = DateTime.subtractDuration(now, Duration.days(migrationAuditDays))
        const legacy = state === "open"
        const [counted] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM clients c WHERE ${ofState(legacy)}`
        const total = counted?.n ?? 0
        const pages = Math.max(1, Math.ceil(total / pageSize))
        const page = Math.min(Math.max(1, wanted), pages)
        const found = yield* rows({ legacy, offset: (page - 1) * pageSize, from })
        const ids = found.map(({ id }) => id)
        const assessed = yield* audits.assessAll(ids)
        const trends = yield* traffic.days(ids, trendDays)
        const ownerIds = new Set(found.map(({ ownerId }) => ownerId))
        const accounts = yield* Effect.forEach(ownerIds, (id) => identities.find(id), { concurrency: "unbounded" })
        const owners = new Map<string, Account>(
          accounts.flatMap(Option.toArray).map((account) => [account.id, account])
        )
        const due = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM clients c
          LEFT JOIN migration_mails m ON m.client_id = c.id
          WHERE c.legacy AND (m.asked_at IS NULL OR m.asked_at <= ${
          DateTime.toDateUtc(DateTime.subtractDuration(now, pause))
        })`
        return {
          apps: found.flatMap((row) => {
            const audit = assessed.get(row.id)
            return audit === undefined
              ? []
              : [{ ...row, audit, owner: owners.get(row.ownerId), trend: trends.get(row.id) ?? [] }]
          }),
          total,
          page,
          pages,
          due: due[0]?.n ?? 0
        }
      }, Effect.orDie)

      const ask = Effect.fn("MigrationBoard.ask")(
        function*(admin: UserId) {
          const now = yield* DateTime.now
          // Two administrators who click at once send one mail: the second finds the rows of the first.
          const asked = yield* sql<{ clientId: ClientId }>`INSERT INTO migration_mails AS m (client_id, asked_at)
            SELECT id, ${DateTime.toDateUtc(now)}::timestamptz FROM clients WHERE legacy ORDER BY id
            ON CONFLICT (client_id) DO UPDATE SET asked_at = excluded.asked_at
            WHERE m.asked_at <= ${DateTime.toDateUtc(DateTime.subtractDuration(now, pause))}
            RETURNING client_id`
          for (const { clientId } of asked) yield* outbox.publish(ReviewNotice.make({ clientId, event: "migration" }))
          if (asked.length > 0) {
            yield* audit.record({ actor: admin, action: "migration.asked", details: { apps: asked.length } })
          }
          return asked.length
        },
        sql.withTransaction,
        Effect.orDie
      )

      return MigrationBoard.of({ ask, list })
    })
  )
}

const pageSize = 50

const trendDays = 30

const pause = Duration.days(7)

const Row = Schema.Struct({
  id: ClientId,
  name: Schema.String,
  ownerId: UserId,
  askedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})

import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { MigrationMail } from "../../../foundation/jobs/kinds/MigrationMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import type { Account } from "../../accounts/people/Account.ts"
import { IdentitySource } from "../../accounts/people/IdentitySource.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { appsOf } from "../../clients/records/AppAccess.ts"
import { type BoardFilter, MailCount } from "./BoardFilter.ts"
import { boardCondition, boardTables } from "./BoardQuery.ts"
import { MigrationAudits } from "./MigrationAudits.ts"
import type { MigrationVerdict } from "./MigrationVerdict.ts"

export interface MailPreview extends MailCount {
  /** Mail to the owner with the most apps; `null` if there is nobody to write to. */
  readonly sample: { readonly to: Account; readonly left: LegacyApps } | null
}

/** Legacy apps of an owner that are still to be moved. */
export interface LegacyApps {
  /** The first of them, which a mail names. */
  readonly apps: ReadonlyArray<{
    readonly id: ClientId
    readonly name: string
    readonly verdict: Exclude<MigrationVerdict, "migrated">
  }>
  readonly total: number
}

/**
 * Mails that ask owners to move their legacy apps to scopes (specification §5.6): one for each owner and each of their
 * co-owners, about all apps in which they have a part, and once a week at most. Administrators send them from the
 * board to the owners of the apps that a filter wants.
 */
export class MigrationMails extends Context.Service<MigrationMails, {
  /** Mails that `send` would send now. */
  preview(filter: BoardFilter): Effect.Effect<MailPreview>
  send(admin: UserId, filter: BoardFilter): Effect.Effect<MailCount>
  /** Apps that a mail to this owner or co-owner is about now; none if none is left to move. */
  left(owner: UserId): Effect.Effect<Option.Option<LegacyApps>>
}>()("slotkey/core/legacy/migration/MigrationMails") {
  static readonly layer = Layer.effect(
    MigrationMails,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const audits = yield* MigrationAudits
      const identities = yield* IdentitySource
      const outbox = yield* Outbox
      const context = yield* Effect.context<SqlClient.SqlClient | IdentitySource>()

      /** People who got a mail since then: one tells of all apps in which they have a part. */
      const written = (since: Date) =>
        sql`SELECT p.id FROM migration_mails m JOIN clients a ON a.id = m.client_id
          CROSS JOIN LATERAL (SELECT a.owner_id AS id
            UNION ALL SELECT o.account_id FROM client_owners o WHERE o.client_id = a.id) p
          WHERE m.asked_at > ${since}`

      /** Co-owners of legacy apps of these owners who get a mail with them. */
      const coOwners = Effect.fnUntraced(function*(owners: ReadonlyArray<UserId>) {
        const weekAgo = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, pause))
        return yield* allOwners(
          sql`SELECT DISTINCT o.account_id AS owner_id FROM client_owners o JOIN clients c ON c.id = o.client_id
          WHERE c.legacy AND c.owner_id = ANY(${owners}::text[]) AND o.account_id <> ALL(${owners}::text[])
            AND o.account_id NOT IN (${written(weekAgo)}) ORDER BY owner_id`
        )
      })

      /** Owners to write to, with the number of their legacy apps. */
      const due = Effect.fnUntraced(
        function*(filter: BoardFilter): Effect.fn.Return<
          Statement.Fragment,
          SqlError.SqlError,
          SqlClient.SqlClient | IdentitySource
        > {
          const weekAgo = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, pause))
          return sql`SELECT o.owner_id, count(*)::int AS apps FROM clients o
            WHERE o.legacy
              AND o.owner_id IN (SELECT c.owner_id FROM ${yield* boardTables}
                WHERE c.legacy AND ${yield* boardCondition(filter)})
              AND o.owner_id NOT IN (${written(weekAgo)})
            GROUP BY o.owner_id`
        },
        Effect.provideContext(context)
      )

      const left = Effect.fn("MigrationMails.left")(function*(owner: UserId) {
        const rows = yield* allNamed(
          sql`SELECT c.id, c.name, (count(*) OVER ())::int AS total
          FROM clients c LEFT JOIN migration_standings s ON s.client_id = c.id
          WHERE c.legacy AND c.id IN ${appsOf(sql, owner)}
          ORDER BY s.unscoped_requests DESC NULLS LAST, lower(c.name), c.id LIMIT ${mostNamed}`
        )
        const [first] = rows
        if (first === undefined) return Option.none()
        const assessed = yield* audits.assessAll(rows.map(({ id }) => id))
        const apps = rows.flatMap(({ id, name }) => {
          const verdict = assessed.get(id)?.verdict
          return verdict === undefined || verdict === "migrated" ? [] : [{ id, name, verdict }]
        })
        return Option.some({ apps, total: first.total })
      }, Effect.orDie)

      const preview = Effect.fn("MigrationMails.preview")(function*(filter: BoardFilter) {
        const owners = yield* due(filter)
        const counted = yield* firstCount(
          sql`SELECT count(*)::int AS owners, coalesce(sum(apps), 0)::int AS apps FROM (${owners}) d`
        )
        const most = yield* allOwners(sql`SELECT owner_id FROM (${owners}) d ORDER BY apps DESC, owner_id LIMIT 1`)
        const samples = yield* Effect.forEach(
          most,
          ({ ownerId }) =>
            Effect.all([identities.find(ownerId), left(ownerId)]).pipe(
              Effect.map(([to, left]) => Option.all({ to, left }))
            )
        )
        return { ...Option.getOrThrow(counted), sample: samples.flatMap(Option.toArray)[0] ?? null }
      }, Effect.orDie)

      const send = Effect.fn("MigrationMails.send")(
        function*(admin: UserId, filter: BoardFilter) {
          // Two administrators who click at once send one mail: the second finds the rows of the first.
          yield* TransactionLock.take(sql, "migrationMails")
          const owners = (yield* allOwners(sql`${yield* due(filter)}`)).map(({ ownerId }) => ownerId)
          if (owners.length === 0) return { owners: 0, apps: 0 }
          const others = (yield* coOwners(owners)).map(({ ownerId }) => ownerId)
          const at = DateTime.toDateUtc(yield* DateTime.now)
          const asked = yield* sql<{ n: number }>`WITH asked AS (
              INSERT INTO migration_mails (client_id, asked_at)
              SELECT id, ${at}::timestamptz FROM clients WHERE legacy AND owner_id = ANY(${owners}::text[]) ORDER BY id
              ON CONFLICT (client_id) DO UPDATE SET asked_at = excluded.asked_at RETURNING 1
            ) SELECT count(*)::int AS n FROM asked`
          const count = { owners: owners.length, apps: asked[0]?.n ?? 0 }
          yield* outbox.publishAll([...owners, ...others].map((userId) => MigrationMail.make({ userId })))
          yield* audit.record({ actor: admin, action: "migration.asked", details: count })
          return count
        },
        sql.withTransaction,
        Effect.orDie
      )

      return MigrationMails.of({ preview, send, left })
    })
  )
}

const pause = Duration.days(7)

const mostNamed = 20

const allNamed = Rows.all(Schema.Struct({ id: ClientId, name: Schema.String, total: Schema.Int }))
const allOwners = Rows.all(Schema.Struct({ ownerId: UserId }))
const firstCount = Rows.first(MailCount)

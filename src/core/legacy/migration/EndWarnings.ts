import { Array, DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import * as Column from "../../../foundation/database/Column.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { EndWarningMail } from "../../../foundation/jobs/kinds/EndWarningMail.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { appsOf } from "../../clients/records/AppAccess.ts"
import * as LiveCondition from "../../grants/LiveCondition.ts"

/**
 * Mails that warn owners before imported grants of their apps end, for want of use or at the end of their time: an app
 * of another server may not know that they do. One mail tells an owner of all apps, and of each end once. Co-owners get
 * one, too, about those of the apps in which they have a part.
 */
export const endWarnings = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const { grantIdleLifetime } = yield* AppConfig
  const live = LiveCondition.make(sql, grantIdleLifetime)
  const leadParameter = Column.interval(lead)
  const instant = (at: DateTime.Utc) => sql`${DateTime.toDateUtc(at)}::timestamptz`

  /** Imported grants of these owners that end by then. The join finds them without reading all others. */
  const grantsEnding = (owners: ReadonlyArray<UserId>, now: Statement.Fragment, until: Statement.Fragment) =>
    sql`SELECT * FROM (
      SELECT c.owner_id, c.id AS client_id, c.name, g.created_at, g.expires_at,
        LEAST(g.expires_at, g.rotated_at + g.idle_days * interval '24 hours') AS ends_at,
        LEAST(g.expires_at - ${leadParameter},
          g.rotated_at + GREATEST(g.idle_days * interval '24 hours' - ${leadParameter}, g.idle_days * interval '12 hours')
        ) AS warn_at
      FROM clients c JOIN imported_refresh_tokens t ON t.client_id = c.id JOIN grants g ON g.id = t.grant_id
      WHERE c.owner_id = ANY(${owners}::text[]) AND ${live(now)}
    ) e WHERE ends_at <= ${until}`

  const publishFor = Effect.fnUntraced(function*(owners: ReadonlyArray<UserId>) {
    // The second of two workers that look at once finds the rows of the first.
    yield* TransactionLock.take(sql, "endWarnings")
    const now = yield* DateTime.now
    const until = DateTime.addDuration(now, told)
    const rows = yield* allOwners(
      sql`WITH ending AS (${grantsEnding(owners, instant(now), instant(until))}), due AS (
          SELECT DISTINCT e.owner_id FROM ending e LEFT JOIN end_warnings w USING (client_id)
          WHERE e.warn_at <= ${instant(now)}
            AND (w.warned_at IS NULL OR w.warned_at < e.created_at
              OR w.warned_at < e.ends_at - ${Column.interval(told)})
        ), warned AS (
          INSERT INTO end_warnings (client_id, warned_at)
          SELECT DISTINCT client_id, ${instant(now)} FROM ending JOIN due USING (owner_id) ORDER BY client_id
          ON CONFLICT (client_id) DO UPDATE SET warned_at = excluded.warned_at
        ) SELECT owner_id FROM due ORDER BY owner_id`
    )
    const due = rows.map(({ ownerId }) => ownerId)
    const others = yield* allCoOwners(
      sql`SELECT DISTINCT e.owner_id, o.account_id
        FROM (${grantsEnding(due, instant(now), instant(until))}) e JOIN client_owners o USING (client_id)
        WHERE o.account_id <> e.owner_id ORDER BY e.owner_id, o.account_id`
    )
    yield* outbox.publishAll([
      ...due.map((userId) => EndWarningMail.make({ userId, until })),
      ...others.map(({ accountId, ownerId }) => EndWarningMail.make({ userId: accountId, firstOwner: ownerId, until }))
    ])
    return rows.length
  }, sql.withTransaction)

  /** Publishes the mails that are due; answers their number. */
  const publish = Effect.gen(function*() {
    let published = 0
    for (let after = "";;) {
      const owners = (yield* allOwners(
        sql`SELECT DISTINCT owner_id FROM clients
        WHERE (legacy OR migrated_at IS NOT NULL) AND owner_id > ${after} ORDER BY owner_id LIMIT ${pageSize}`
      )).map(({ ownerId }) => ownerId)
      if (!Array.isReadonlyArrayNonEmpty(owners)) return published
      published += yield* publishFor(owners)
      after = Array.lastNonEmpty(owners)
    }
  }).pipe(Effect.orDie, Effect.withSpan("EndWarnings.publish"))

  /** Apps of this first owner in which a person has a part, with grants that end by then. */
  const ending = Effect.fn("EndWarnings.ending")(function*(userId: UserId, until: DateTime.Utc, firstOwner = userId) {
    const now = yield* DateTime.now
    return yield* allApps(
      sql`SELECT name, count(*)::int AS grants, (count(*) FILTER (WHERE ends_at < expires_at))::int AS idle,
          min(ends_at) AS first_ends_at
        FROM (${grantsEnding([firstOwner], instant(now), instant(until))}) e
        WHERE client_id IN ${appsOf(sql, userId)}
        GROUP BY client_id, name ORDER BY min(ends_at), lower(name), client_id`
    )
  }, Effect.orDie)

  return { publish, ending }
})

/** Time that is left to the owner; half of a shorter idle lifetime, or an app that is used would be warned about. */
const lead = Duration.days(14)

/** A mail names what ends within this time, so that the next one can wait until the rest of it is near. */
const told = Duration.times(lead, 2)

const pageSize = 100

const allOwners = Rows.all(Schema.Struct({ ownerId: UserId }))
const allCoOwners = Rows.all(Schema.Struct({ ownerId: UserId, accountId: UserId }))
const allApps = Rows.all(Schema.Struct({
  name: Schema.String,
  grants: Schema.Int,
  /** Grants among them that go on if the app uses them. */
  idle: Schema.Int,
  firstEndsAt: Schema.DateTimeUtcFromDate
}))

import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId, SecretId, UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { CredentialNotice } from "../../../foundation/jobs/kinds/CredentialNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AppEvents } from "../events/AppEvents.ts"
import { appAccess } from "../records/AppAccess.ts"
import { secretRows, server } from "./SecretRows.ts"
import { secretWorks } from "./SecretWorks.ts"

/**
 * Deletes the secrets that have ended, with an entry of the trail and a mail for each; answers the number of their
 * clients. They work no more anyway: each is taken by whichever command on its client comes first.
 */
export const removeEndedSecrets = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { lock } = yield* secretRows
  const now = yield* DatabaseClock.statementNow
  const start = yield* DatabaseClock.statementStart
  const clients = yield* allClients(sql`SELECT DISTINCT client_id FROM client_secrets s
    WHERE ends_at <= ${start} AND NOT ${secretWorks(sql, now)} ORDER BY client_id LIMIT ${batchSize}`)
  yield* Effect.forEach(
    clients,
    // An app that was deleted meanwhile took its secrets along.
    ({ clientId }) => lock(clientId).pipe(inTransaction(sql), Effect.catchTag("NotFound", () => Effect.void)),
    { discard: true }
  )
  return clients.length
}).pipe(Effect.withSpan("SecretEnds.remove"))

const batchSize = 1_000

/**
 * Publishes the mails that remind owners of secrets about to end, of which apps hear as well, and each week of those
 * that are overdue; answers their number. Each reminder goes once, however many workers look: a secret is due when a
 * time for one has passed since its owner chose the end, or was last reminded.
 */
export const publishSecretReminders = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const events = yield* AppEvents
  const outbox = yield* Outbox
  const { peopleWho } = yield* appAccess
  const now = yield* DatabaseClock.statementNow
  const week = Column.interval(Duration.weeks(1))
  const latest = sql`CASE WHEN s.ends_at <= t.now
      THEN s.ends_at + floor(extract(epoch FROM t.now - s.ends_at) / extract(epoch FROM ${week}::interval)) * ${week}::interval
    ELSE (SELECT max(s.ends_at - lead) FROM unnest(${leads}::interval[]) AS lead WHERE s.ends_at - lead <= t.now) END`
  const publish = allDue(
    sql`UPDATE client_secrets s SET end_reminded_at = t.now
      FROM (SELECT ${now} AS now) t, clients c
      WHERE c.id = s.client_id AND s.ends_at <= t.now + ${Column.interval(longestLead)}
        AND s.end_reminded_at < ${latest} AND ${secretWorks(sql, sql`t.now`)}
      RETURNING s.id, s.client_id, s.last_four, s.ends_at, c.owner_id, c.test_of,
        s.ends_at <= t.now AS is_overdue`
  ).pipe(
    Effect.tap((due) =>
      Effect.forEach(due.filter(({ isOverdue }) => !isOverdue), ({ clientId, endsAt, lastFour }) =>
        events.publish({
          clientId,
          type: "secret.ending",
          data: { client_id: clientId, last_four: lastFour, ends_at: DateTime.formatIso(endsAt) }
        }), { discard: true })
    ),
    Effect.tap((due) =>
      Effect.forEach(
        due,
        ({ clientId, endsAt, isOverdue, lastFour, ownerId, testOf }) =>
          Effect.flatMap(peopleWho("secrets", { id: clientId, ownerId, testOf }), (people) =>
            outbox.publishAll(people.map((userId) =>
              CredentialNotice.make({
                userId,
                event: isOverdue ? "secret.overdue" : "secret.ending",
                clientId,
                lastFour: [lastFour],
                by: server,
                endsAt
              })
            ))),
        { discard: true }
      )
    ),
    inTransaction(sql)
  )
  return (yield* publish).length
}).pipe(Effect.withSpan("SecretEnds.remind"))

const longestLead = Duration.days(30)

/** Times before the end. The last leaves a whole day, as somebody looks once a night. */
const leads = ["30 days", "7 days", "2 days"]

const allClients = Rows.all(Schema.Struct({ clientId: ClientId }))
const allDue = Rows.all(Schema.Struct({
  id: SecretId,
  clientId: ClientId,
  lastFour: Schema.String,
  endsAt: Schema.DateTimeUtcFromDate,
  ownerId: UserId,
  testOf: Schema.NullOr(ClientId),
  isOverdue: Schema.Boolean
}))

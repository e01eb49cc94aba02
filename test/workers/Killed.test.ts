// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { GrantId } from "../../src/domain/Ids.ts"
import type { PendingJob } from "../../src/foundation/jobs/Job.ts"
import { Expiry } from "../../src/foundation/jobs/kinds/Expiry.ts"
import { MigrationAudit } from "../../src/foundation/jobs/kinds/MigrationAudit.ts"
import { NewConnection } from "../../src/foundation/jobs/kinds/NewConnection.ts"
import { ReviewDigests } from "../../src/foundation/jobs/kinds/ReviewDigests.ts"
import { ReviewNotice } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { TokenReuse } from "../../src/foundation/jobs/kinds/TokenReuse.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { eventually } from "../support/Eventually.ts"
import { environment, layer, stores } from "../support/TestJobs.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"
import { addPeople, app, user } from "./Scenario.ts"

const key = Buffer.alloc(32, 7).toString("base64url")

const clients = 400
const deadCodes = 12_000

/** Creates work for every kind of job: rows to delete, clients to audit, an app that waits, mails to send. */
const prepare = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* addPeople
  yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at)
    SELECT 'legacy_' || lpad(n::text, 4, '0'), 'olive', 'public', true, 'approved', 'Legacy', 'Test',
      'https://legacy.test', ARRAY['https://legacy.test/cb'], ARRAY[]::text[], now(), now(), now()
    FROM generate_series(1, ${clients}::int) n`
  yield* sql`INSERT INTO codes (digest, client_id, user_id, redirect_uri, created_at, expires_at)
    SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), ${app}, 'uma', 'https://tidy.test/cb', now(),
      CASE WHEN n <= ${deadCodes}::int THEN now() - interval '1 hour' ELSE now() + interval '1 hour' END
    FROM generate_series(1, ${deadCodes + 100}::int) n`
  yield* sql`UPDATE clients SET submitted_at = now() - interval '10 days' WHERE status = 'pending'`
})

const numbers = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { codes: number; audits: number; audited: number; done: number; dead: number; open: number }
  >`
    SELECT (SELECT count(*)::int FROM codes) AS codes, (SELECT count(*)::int FROM migration_audits) AS audits,
      (SELECT count(DISTINCT client_id)::int FROM migration_audits) AS audited,
      (SELECT count(*)::int FROM outbox WHERE done_at IS NOT NULL) AS done,
      (SELECT count(*)::int FROM outbox WHERE dead_at IS NOT NULL) AS dead,
      (SELECT count(*)::int FROM outbox WHERE done_at IS NULL AND dead_at IS NULL) AS open`
  return row ?? { codes: 0, audits: 0, audited: 0, done: 0, dead: 0, open: 0 }
})

describe.each(stores)("Workers that are killed, with the queues in $store", ({ skip, store }) => {
  if (skip !== undefined) return it.skip(skip)

  it.live("lose nothing and do nothing twice", () =>
    Effect.gen(function*() {
      const smtp = yield* TestSmtp.make
      const { env } = yield* environment(store, {
        JOB_LOCK: "1 second",
        SMTP_URL: smtp.url,
        MAIL_TIMEOUT: "5 minutes",
        MASTER_KEY: key,
        BASE_URL: "https://slotkey.test"
      })
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const outbox = yield* Outbox
        yield* prepare
        const jobs: ReadonlyArray<PendingJob> = [
          ReviewNotice.make({ clientId: app, event: "submitted" }),
          NewConnection.make({ userId: user, clientId: app, scopes: null }),
          TokenReuse.make({ userId: user, clientId: app, grantId: GrantId.make("g1") }),
          MigrationAudit.make({}),
          Expiry.make({})
        ]
        yield* sql.withTransaction(Effect.forEach(jobs, (job) => outbox.publish(job)))

        // No mail is accepted meanwhile; expiry and audit are at work.
        smtp.mood = "stalls"
        const first = yield* WorkerProcess.start(env)
        yield* eventually(Effect.map(numbers, ({ codes }) => codes < deadCodes + 100))
        yield* first.kill
        const afterFirst = yield* numbers
        assert.isAbove(afterFirst.codes, 100, "the first worker was killed before it was done")

        const second = yield* WorkerProcess.start(env)
        const before = smtp.attempts
        // Mails to users; those to administrators wait for their digest.
        yield* eventually(Effect.sync(() => smtp.attempts >= before + 2))
        yield* eventually(Effect.map(numbers, ({ audits }) => audits > 0))
        yield* second.kill

        smtp.mood = "accepts"
        const third = yield* WorkerProcess.start(env)
        // Five published jobs, and the reminder about the app that waits.
        yield* eventually(Effect.map(numbers, ({ done }) => done >= 6))
        yield* outbox.publish(ReviewDigests.make({}))
        // A reminder noted while a digest is under way belongs to the next one, a minute later.
        yield* eventually(
          Effect.map(numbers, ({ done, open }) => done >= 9 && open === 0 && smtp.received.length >= 4)
        )
        const { code } = yield* third.stop
        assert.strictEqual(code, 0)

        const { audited, audits, codes, dead } = yield* numbers
        assert.strictEqual(codes, 100)
        assert.strictEqual(audits, clients)
        assert.strictEqual(audited, clients)
        assert.strictEqual(dead, 0)
        const keys = yield* sql<{ purpose: string }>`SELECT purpose FROM server_keys ORDER BY purpose`
        assert.deepStrictEqual(keys.map(({ purpose }) => purpose), [
          "access-token",
          "access-token-mac",
          "refresh-token"
        ])
        const told = smtp.received.map(({ message, to }) => `${to} ${/^Subject: .*$/m.exec(message)?.[0] ?? ""}`)
        assert.strictEqual(new Set(told).size, told.length, "nobody was told anything twice")
        assert.deepStrictEqual(smtp.received.map(({ to }) => to.split("@")[0]).toSorted(), [
          // The news of the app and the reminder are one digest.
          "ada",
          "bob",
          "uma",
          "uma"
        ])
      }).pipe(Effect.scoped, Effect.provide(layer(env)))
    }), 240_000)
})

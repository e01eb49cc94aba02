import { assert, describe, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { LocalServices } from "../../src/app/Services.ts"
import { EndWarnings } from "../../src/core/legacy/migration/EndWarnings.ts"
import { GrantId, UserId } from "../../src/domain/Ids.ts"
import { EndWarningMail } from "../../src/foundation/jobs/kinds/EndWarningMail.ts"
import { MigrationMail } from "../../src/foundation/jobs/kinds/MigrationMail.ts"
import { NewConnection } from "../../src/foundation/jobs/kinds/NewConnection.ts"
import { type ReviewEvent, ReviewNotice } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { TokenReuse } from "../../src/foundation/jobs/kinds/TokenReuse.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { OutboxRepo } from "../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { remind } from "../../workers/ReviewReminders.ts"
import { Workers } from "../../workers/Workers.ts"
import { eventually } from "../support/Eventually.ts"
import { environment, layer as process } from "../support/TestJobs.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import * as TestWebhook from "../support/TestWebhook.ts"
import { addPeople, app, user } from "./Scenario.ts"

class Outside extends Context.Service<Outside, {
  readonly smtp: TestSmtp.TestSmtp
  readonly hook: TestWebhook.TestWebhook
}>()("slotkey/test/workers/Notices.test/Outside") {}

/** A process with workers, a mail server, a webhook, and accounts in its database. */
const Process = Layer.unwrap(Effect.gen(function*() {
  const smtp = yield* TestSmtp.make
  const hook = yield* TestWebhook.make
  const { env } = yield* environment("postgres", {
    SMTP_URL: smtp.url,
    MAIL_TIMEOUT: "1 second",
    REVIEW_WEBHOOK_URL: hook.url,
    REVIEW_WEBHOOK_SECRET: "a secret of the webhook",
    REVIEW_REMINDER_AFTER: "1 day",
    JOB_ATTEMPTS: "100"
  })
  return Layer.mergeAll(Workers, Layer.succeed(Outside, { smtp, hook })).pipe(
    Layer.provideMerge(Layer.effectDiscard(addPeople)),
    Layer.provideMerge(LocalServices),
    Layer.provideMerge(process(env))
  )
}))

/** Resets the mail server and the webhook: they accept everything and have received nothing. */
const outside = Effect.gen(function*() {
  const { hook, smtp } = yield* Outside
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM outbox`
  smtp.mood = "accepts"
  smtp.unknown.clear()
  smtp.received.length = 0
  smtp.attempts = 0
  hook.status = 204
  hook.events.length = 0
  return { hook, smtp }
})

const publish = (event: ReviewEvent, reason: string | null = null) =>
  Effect.flatMap(Outbox, (outbox) => outbox.publish(ReviewNotice.make({ clientId: app, event, reason })))

const rows = (where: "done_at IS NOT NULL" | "dead_at IS NOT NULL", n: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return (yield* sql`SELECT 1 FROM outbox WHERE ${sql.literal(where)}`).length === n
  })
const done = (n: number) => eventually(rows("done_at IS NOT NULL", n))

const to = ({ received }: TestSmtp.TestSmtp) => received.map(({ to }) => to.split("@")[0]).toSorted()

// A long header continues in lines that begin with a space (RFC 5322 §2.2.3).
const header = (message: string, name: string) =>
  new RegExp(`^${name}:((?:.|\r\n[ \t])*)\r$`, "im").exec(message)?.[1]?.trim()

const Told = Schema.fromJsonString(Schema.Struct({
  type: Schema.String,
  data: Schema.Record(Schema.String, Schema.NullOr(Schema.String))
}))

layer(Process, { excludeTestServices: true })("Notices", (it) => {
  describe("of reviews", () => {
    it.effect("are one mail to an owner about all legacy apps", () =>
      Effect.gen(function*() {
        const { hook, smtp } = yield* outside
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
            submitted_at, created_at, updated_at)
          SELECT 'legacy-' || n, 'olive', 'public', true, 'approved', 'Old app ' || n, 'Test', 'https://old.test',
            ARRAY['https://old.test/cb'], ARRAY[]::text[], now(), now(), now() FROM generate_series(1, 3) n`
        yield* Effect.flatMap(Outbox, ({ publish }) => publish(MigrationMail.make({ ownerId: UserId.make("olive") })))
        yield* done(1)
        yield* sql`DELETE FROM clients WHERE id LIKE 'legacy-%'`
        assert.deepStrictEqual(to(smtp), ["olive"])
        assert.isEmpty(hook.events)
        yield* outside
        yield* Effect.flatMap(Outbox, ({ publish }) => publish(MigrationMail.make({ ownerId: UserId.make("olive") })))
        yield* done(1)
        assert.isEmpty(smtp.received)
      }))

    it.effect("warn an owner before imported grants end, unless the app has used them meanwhile", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        const sql = yield* SqlClient.SqlClient
        const grant = "0195c000-0000-7000-8000-000000000001"
        yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, rotated_at, created_at, expires_at,
            imported_rotates, idle_days)
          VALUES (${grant}, ''::bytea, ${app}, ${user}, now() - interval '9 days', now(), now() + interval '300 days', false, 10)`
        yield* sql`INSERT INTO imported_refresh_tokens (digest, client_id, grant_id) VALUES (''::bytea, ${app}, ${grant})`
        yield* sql`UPDATE clients SET legacy = true WHERE id = ${app}`
        const warnings = yield* EndWarnings
        assert.strictEqual(yield* warnings.publish, 1)
        yield* done(1)
        yield* sql`UPDATE grants SET idle_days = 90 WHERE id = ${grant}`
        const payload = { ownerId: UserId.make("olive"), until: DateTime.add(yield* DateTime.now, { days: 28 }) }
        yield* Effect.flatMap(Outbox, ({ publish }) => publish(EndWarningMail.make(payload)))
        yield* done(2)
        yield* sql`DELETE FROM grants`
        yield* sql`DELETE FROM imported_refresh_tokens`
        yield* sql`UPDATE clients SET legacy = false WHERE id = ${app}`
        assert.deepStrictEqual(to(smtp), ["olive"])
        assert.include(smtp.received[0]?.message ?? "", "are about to end")
      }))

    it.effect("tell administrators of an app that waits and the owner of the decision, with its reason", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        yield* publish("submitted")
        yield* publish("rejected", "The website does not answer.")
        yield* done(2)
        assert.deepStrictEqual(to(smtp), ["ada", "bob", "olive"])
        const [ofAdministrator, ofOwner] = [smtp.received[0]?.message ?? "", smtp.received[2]?.message ?? ""]
        assert.include(ofAdministrator, "https://slotkey.test/review/client_tidy")
        assert.include(ofOwner, "The website does not answer.")
        assert.include(ofOwner, "https://slotkey.test/settings/apps/client_tidy")
        assert.match(header(ofOwner, "message-id") ?? "", /^<[0-9a-f]{32}@slotkey\.test>$/)
      }))

    it.effect("ask the owner of a legacy app to move it to scopes, unless that was done meanwhile", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        const sql = yield* SqlClient.SqlClient
        yield* publish("migration")
        yield* done(1)
        assert.deepStrictEqual(to(smtp), [])
        yield* sql`UPDATE clients SET legacy = true WHERE id = ${app}`
        yield* publish("migration")
        yield* done(2)
        yield* sql`UPDATE clients SET legacy = false WHERE id = ${app}`
        assert.deepStrictEqual(to(smtp), ["olive"])
        const mail = smtp.received[0]?.message ?? ""
        assert.include(mail, "Where it stands: too early to know: no request without scope yet.")
        assert.include(mail, "https://slotkey.test/settings/apps/client_tidy/migration")
      }))

    it.effect("lose nothing while the mail server refuses or stalls, and tell nobody twice", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        smtp.mood = "refuses"
        yield* publish("submitted")
        yield* eventually(Effect.sync(() => smtp.attempts >= 2))
        smtp.mood = "stalls"
        const before = smtp.attempts
        yield* eventually(Effect.sync(() => smtp.attempts >= before + 2))
        smtp.mood = "accepts"
        yield* done(1)
        assert.deepStrictEqual(to(smtp), ["ada", "bob"])
      }))

    it.effect("tell the others when one address does not exist, and leave the trouble to an operator", () =>
      Effect.gen(function*() {
        const repo = yield* OutboxRepo
        const { smtp } = yield* outside
        smtp.unknown.add("ada@example.test")
        yield* publish("submitted")
        yield* eventually(rows("dead_at IS NOT NULL", 1))
        assert.deepStrictEqual(to(smtp), ["bob"])

        const [job] = yield* repo.dead(1)
        assert.include(job?.cause ?? "", "550")
        smtp.unknown.clear()
        yield* repo.replay(job?.id ?? 0n)
        yield* done(1)
        assert.deepStrictEqual(to(smtp), ["ada", "bob"])
      }))

    it.effect("reach a webhook, signed, which is not told again of what it took", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { hook, smtp } = yield* outside
        smtp.mood = "refuses"
        hook.status = 500
        yield* publish("suspended", "Sends spam.")
        yield* eventually(Effect.sync(() => hook.events.length >= 2))
        hook.status = 204
        const delivered = sql`SELECT 1 FROM deliveries WHERE recipient = 'webhook'`
        yield* eventually(Effect.map(delivered, (rows) => rows.length === 1))
        const told = hook.events.length
        smtp.mood = "accepts"
        yield* done(1)
        assert.strictEqual(hook.events.length, told)
        assert.strictEqual(new Set(hook.events.map(({ headers }) => headers["webhook-id"])).size, 1)

        const { body, headers } = hook.events.at(-1) ?? { body: "", headers: {} }
        const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`
        const signature = createHmac("sha256", "a secret of the webhook").update(signed).digest("base64")
        assert.strictEqual(headers["webhook-signature"], `v1,${signature}`)
        const { data, type } = yield* Schema.decodeEffect(Told)(body)
        assert.strictEqual(type, "client.suspended")
        assert.deepInclude(data, { clientId: app, reason: "Sends spam." })
      }))

    it.effect("have identifiers of their own after the database was restored to an earlier state", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { hook, smtp } = yield* outside
        const messageIds = () => smtp.received.map(({ message }) => /^Message-ID: .*$/mi.exec(message)?.[0])
        yield* publish("submitted")
        yield* done(1)
        const [before] = yield* sql<{ readonly id: bigint }>`SELECT id FROM outbox`
        const told = new Set(messageIds())
        yield* sql`DELETE FROM outbox`
        yield* sql`SELECT setval(pg_get_serial_sequence('outbox', 'id'), ${before?.id ?? 0n}, false)`
        yield* publish("resumed")
        yield* done(1)
        assert.deepStrictEqual((yield* sql<{ readonly id: bigint }>`SELECT id FROM outbox`)[0], before)
        assert.lengthOf(hook.events, 2)
        assert.strictEqual(new Set(hook.events.map(({ headers }) => headers["webhook-id"])).size, 2)
        assert.isAbove(new Set(messageIds()).size, told.size)
      }))

    it.effect("do not let a hostile name forge a header", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { smtp } = yield* outside
        yield* sql`UPDATE clients SET name = ${"x\r\nBcc: victim@example.test\r\n\r\nPay here"}`
        yield* publish("submitted")
        yield* done(1)
        assert.deepStrictEqual(to(smtp), ["ada", "bob"])
        for (const { message } of smtp.received) {
          assert.isUndefined(header(message.slice(0, message.indexOf("\r\n\r\n") + 2), "bcc"))
        }
        yield* sql`UPDATE clients SET name = 'Tidy Calendar'`
      }))

    it.effect("mark each line of what others wrote, so that it does not pass for their own words", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { smtp } = yield* outside
        const [before] = yield* sql<{ purpose: string }>`SELECT purpose FROM clients`
        yield* sql`UPDATE clients SET purpose = ${"Good things.\n\nDecide here: https://evil.example/review"}`
        yield* publish("submitted")
        yield* publish("rejected", "No.\r\nThe app's settings: https://evil.example")
        yield* done(2)
        for (const { message } of smtp.received) assert.notMatch(message, /^(?!> ).*evil\.example/m)
        assert.match(smtp.received[0]?.message ?? "", /^> Decide here: https:\/\/evil/m)
        yield* sql`UPDATE clients SET purpose = ${before?.purpose ?? ""}`
      }))

    it.effect("remind administrators of an app that waits, once in each period", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { smtp } = yield* outside
        assert.strictEqual(yield* remind, 0)
        yield* sql`UPDATE clients SET submitted_at = submitted_at - interval '25 hours'`
        const reminded = yield* Effect.all([remind, remind, remind], { concurrency: 3 })
        assert.deepStrictEqual(reminded.toSorted(), [0, 0, 1])
        yield* done(1)
        assert.include(smtp.received[0]?.message, "Nobody has decided")

        const later = sql`UPDATE review_reminders SET reminded_at = reminded_at - interval '25 hours'`
        yield* later
        assert.strictEqual(yield* remind, 1)
        yield* sql`UPDATE clients SET status = 'approved'`
        yield* later
        assert.strictEqual(yield* remind, 0)
      }))
  })

  describe("of users", () => {
    it.effect("tell of a new connection and of one that ended because a token was used twice", () =>
      Effect.gen(function*() {
        const outbox = yield* Outbox
        const { smtp } = yield* outside
        yield* outbox.publish(NewConnection.make({ userId: user, clientId: app }))
        yield* outbox.publish(TokenReuse.make({ userId: user, clientId: app, grantId: GrantId.make("g1") }))
        yield* done(2)
        assert.deepStrictEqual(to(smtp), ["uma", "uma"])
        for (const { message } of smtp.received) assert.include(message, "https://slotkey.test/connections")
        const subjects = smtp.received.map(({ message }) => header(message, "subject") ?? "")
        assert.deepStrictEqual(subjects.map((subject) => /(dis)?connected/.exec(subject)?.[0]).toSorted(), [
          "connected",
          "disconnected"
        ])
      }))
  })
})

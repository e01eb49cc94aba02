import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { ClientRegistry } from "../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { endWarnings } from "../../src/core/legacy/migration/EndWarnings.ts"
import { type ApiKeyId, ClientId, GrantId, UserId } from "../../src/domain/Ids.ts"
import { AccountClosed } from "../../src/foundation/jobs/kinds/AccountClosed.ts"
import { ApiKeyEndMail } from "../../src/foundation/jobs/kinds/ApiKeyEndMail.ts"
import { CredentialNotice } from "../../src/foundation/jobs/kinds/CredentialNotice.ts"
import { EndWarningMail } from "../../src/foundation/jobs/kinds/EndWarningMail.ts"
import { MigrationMail } from "../../src/foundation/jobs/kinds/MigrationMail.ts"
import { NewConnection } from "../../src/foundation/jobs/kinds/NewConnection.ts"
import { OwnerChange } from "../../src/foundation/jobs/kinds/OwnerChange.ts"
import { type ReviewEvent, ReviewNotice } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { TokenReuse } from "../../src/foundation/jobs/kinds/TokenReuse.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { OutboxRepo } from "../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { remind } from "../../workers/ReviewReminders.ts"
import { registration } from "../core/clients/Fixture.ts"
import { eventually } from "../support/Eventually.ts"
import { unwrapped } from "../support/MailText.ts"
import { digests, done, header, outside, Process, processWith, rows, to } from "./Outside.ts"
import { app, user } from "./Scenario.ts"

const publish = (event: ReviewEvent, reason: string | null = null) =>
  Effect.flatMap(Outbox, (outbox) => outbox.publish(ReviewNotice.make({ clientId: app, event, reason })))

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
        yield* Effect.flatMap(Outbox, ({ publish }) => publish(MigrationMail.make({ userId: UserId.make("olive") })))
        yield* done(1)
        yield* sql`DELETE FROM clients WHERE id LIKE 'legacy-%'`
        assert.deepStrictEqual(to(smtp), ["olive"])
        assert.isEmpty(hook.events)
        yield* outside
        yield* Effect.flatMap(Outbox, ({ publish }) => publish(MigrationMail.make({ userId: UserId.make("olive") })))
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
        const warnings = yield* endWarnings
        assert.strictEqual(yield* warnings.publish, 1)
        yield* done(1)
        yield* sql`UPDATE grants SET idle_days = 90 WHERE id = ${grant}`
        const payload = { userId: UserId.make("olive"), until: DateTime.add(yield* DateTime.now, { days: 28 }) }
        yield* Effect.flatMap(Outbox, ({ publish }) => publish(EndWarningMail.make(payload)))
        yield* done(2)
        yield* sql`DELETE FROM grants`
        yield* sql`DELETE FROM imported_refresh_tokens`
        yield* sql`UPDATE clients SET legacy = false WHERE id = ${app}`
        assert.deepStrictEqual(to(smtp), ["olive"])
        assert.include(smtp.received[0]?.message ?? "", "is about to end")
      }))

    it.effect("tell the owner of the decision: when it was made, its reason, and what was asked for", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        yield* publish("approved")
        yield* publish("rejected", "The website does not answer.")
        const changes = [
          { field: "name", removed: ["Tidy"], added: ["Tidy Calendar"] },
          { field: "scopes", removed: ["BOOKING_WRITE"], added: ["PROFILE_READ", "BOOKING_READ"] },
          { field: "logoUrl", removed: [], added: ["https://tidy.test/logo.png"] }
        ]
        yield* Effect.flatMap(
          Outbox,
          (outbox) => outbox.publish(ReviewNotice.make({ clientId: app, event: "change-approved", changes }))
        )
        yield* done(3)
        assert.deepStrictEqual(to(smtp), ["olive", "olive", "olive"])
        const [approved = "", rejected = "", changed = ""] = smtp.received.map(({ message }) => message)
        assert.include(unwrapped(approved), " was approved: it may be used now.")
        assert.match(approved, /^When: \d+ \w+ \d{4}, .*UTC\r$/m)
        assert.match(approved, /^Scopes that it may ask for:\r\n- .* \(PROFILE_READ\)\r$/m)
        assert.include(rejected, "> The website does not answer.")
        assert.include(rejected, "https://slotkey.test/settings/apps/client_tidy")
        assert.match(header(rejected, "message-id") ?? "", /^<[0-9a-f]{32}@slotkey\.test>$/)
        assert.include(changed, "Name: \u201cTidy\u201d \u2192 \u201cTidy Calendar\u201d")
        assert.include(changed, "Scopes added: PROFILE_READ and BOOKING_READ\r\nScopes removed: BOOKING_WRITE")
        assert.include(changed, "Logo: none \u2192 https://tidy.test/logo.png")
      }))

    it.effect("lose nothing while the mail server refuses, and tell nobody twice", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        smtp.mood = "refuses"
        yield* publish("approved")
        yield* eventually(Effect.sync(() => smtp.attempts >= 2))
        smtp.mood = "accepts"
        yield* done(1)
        assert.deepStrictEqual(to(smtp), ["olive"])
      }))

    it.effect("leave an address that does not exist to an operator", () =>
      Effect.gen(function*() {
        const repo = yield* OutboxRepo
        const { smtp } = yield* outside
        smtp.unknown.add("olive@example.test")
        yield* publish("approved")
        yield* eventually(rows("dead_at IS NOT NULL", 1))
        assert.deepStrictEqual(to(smtp), [])

        const [job] = yield* repo.dead(1)
        assert.include(job?.cause ?? "", "550")
        smtp.unknown.clear()
        yield* repo.replay({ ids: [job?.id ?? 0n] })
        yield* done(1)
        assert.deepStrictEqual(to(smtp), ["olive"])
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

    it.effect("tell a webhook how the app was at each event, whatever has become of it since", () =>
      Effect.gen(function*() {
        const registry = yield* ClientRegistry
        const review = yield* ClientReview
        const { hook } = yield* outside
        const [owner, admin] = [UserId.make("olive"), UserId.make("ada")]
        hook.status = 500
        const { client: { id } } = yield* registry.register(owner, registration)
        yield* review.reject(admin, id, "Why?", 1)
        yield* registry.edit(owner, id, { name: "Second name", website: "https://second.example" })
        yield* review.approve(admin, id, 3)
        yield* registry.edit(owner, id, { name: "Third name" })
        yield* review.approve(admin, id, 5)
        yield* review.suspend(admin, id, "Spam.")
        yield* review.resume(admin, id)
        yield* eventually(Effect.sync(() => hook.events.length > 0))
        hook.status = 204
        yield* done(8)
        const told = yield* Effect.forEach(hook.events, ({ body }) => Schema.decodeEffect(Told)(body))
        yield* registry.remove(owner, id)
        const states = told.map(({ data: { name, status, website }, type }) => [type, status, name, website].join(" "))
        const [first, second] = [`${registration.name} ${registration.website}`, "Second name https://second.example"]
        assert.deepStrictEqual([...new Set(states)], [
          `client.submitted pending ${first}`,
          `client.rejected rejected ${first}`,
          `client.resubmitted pending ${second}`,
          `client.approved approved ${second}`,
          `client.changed approved ${second}`,
          "client.change-approved approved Third name https://second.example",
          "client.suspended suspended Third name https://second.example",
          "client.resumed approved Third name https://second.example"
        ])
      }))

    it.effect("have identifiers of their own after the database was restored to an earlier state", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { hook, smtp } = yield* outside
        const messageIds = () => smtp.received.map(({ message }) => /^Message-ID: .*$/mi.exec(message)?.[0])
        yield* publish("approved")
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
        yield* publish("approved")
        yield* done(1)
        assert.deepStrictEqual(to(smtp), ["olive"])
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
        yield* publish("rejected", "No.\r\nThe app's page: https://evil.example")
        yield* publish("submitted")
        yield* done(2)
        yield* digests
        yield* done(4)
        for (const { message } of smtp.received) assert.notMatch(message, /^(?!> ).*evil\.example/m)
        assert.match(smtp.received[1]?.message ?? "", /^> Decide here: https:\/\/evil/m)
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
        yield* digests
        yield* done(3)
        assert.include(smtp.received[0]?.message, "Nobody has decided")
        const [{ payload } = { payload: undefined }] = yield* sql<{ payload: unknown }>`
          SELECT payload FROM outbox ORDER BY id LIMIT 1`
        const state = { name: "Tidy Calendar", website: "https://tidy.test", status: "pending" }
        assert.deepStrictEqual(payload, { clientId: app, event: "waiting", state })

        const later = sql`UPDATE review_reminders SET reminded_at = reminded_at - interval '25 hours'`
        yield* later
        assert.strictEqual(yield* remind, 1)
        yield* sql`UPDATE clients SET status = 'approved'`
        yield* later
        assert.strictEqual(yield* remind, 0)

        // A change of an approved app waits, too, unless it was rejected.
        yield* sql`INSERT INTO client_changes (client_id, name, website, redirect_uris, scopes, submitted_at)
          SELECT id, 'Tidier Calendar', website, redirect_uris, scopes, now() - interval '23 hours' FROM clients`
        assert.strictEqual(yield* remind, 0)
        yield* sql`UPDATE client_changes SET submitted_at = submitted_at - interval '2 hours'`
        assert.strictEqual(yield* remind, 1)
        yield* later
        yield* sql`UPDATE client_changes SET rejection_reason = 'No.'`
        assert.strictEqual(yield* remind, 0)
        yield* sql`UPDATE client_changes SET rejection_reason = NULL`
        yield* sql`UPDATE clients SET status = 'suspended'`
        assert.strictEqual(yield* remind, 0)
        yield* sql`UPDATE clients SET status = 'approved'`
        yield* sql`DELETE FROM client_changes`
      }))
  })

  describe("of credentials", () => {
    it.effect("say which was made or revoked, by whom, when, and what to do", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        const olive = UserId.make("olive")
        const notice = { userId: olive, clientId: app, lastFour: ["k3yZ"], by: olive }
        yield* Effect.flatMap(Outbox, (outbox) =>
          outbox.publishAll([
            CredentialNotice.make({ ...notice, event: "secret.generated" }),
            CredentialNotice.make({ ...notice, event: "secret.revoked", lastFour: ["aaaa", ""], by: "cli" }),
            CredentialNotice.make({ ...notice, event: "api_key.created", clientId: null }),
            CredentialNotice.make({ ...notice, event: "api_key.revoked", clientId: null }),
            CredentialNotice.make({ ...notice, event: "api_key.revoked", userId: UserId.make("nobody") }),
            CredentialNotice.make({
              ...notice,
              event: "secret.replaced",
              by: "secret-scanning",
              foundAt: "https://github.com/a/b/blob/c/.env"
            }),
            CredentialNotice.make({ ...notice, event: "secret.ended", clientId: ClientId.make("client_deleted") })
          ]))
        yield* done(7)
        assert.deepStrictEqual(to(smtp), ["olive", "olive", "olive", "olive", "olive"])
        const [made = "", revoked = "", key = "", keyRevoked = "", replaced = ""] = smtp.received.map(({ message }) =>
          message
        )
        assert.include(replaced, "https://github.com/a/b/blob/c/.env\r\n")
        assert.include(unwrapped(replaced), "until your app has that, its requests are refused")
        assert.notInclude(replaced, "Done by")
        assert.include(made, "A client secret of your app \u201cTidy Calendar\u201d was made.")
        assert.match(
          made,
          /^Website: tidy\.test\r\nEnds in: \u2026k3yZ\r\nDone by: your account\r\nWhen: \d+ \w+ \d{4}, .* UTC\r$/m
        )
        assert.include(made, "If that was not you, revoke it")
        assert.include(made, "https://slotkey.test/settings/apps/client_tidy")
        assert.include(unwrapped(revoked), "All client secrets of your app \u201cTidy Calendar\u201d were revoked.")
        assert.include(revoked, "Ends in: \u2026aaaa and characters that are not known here\r\n")
        assert.include(revoked, "Done by: an operator of this server\r\n")
        assert.notInclude(revoked, "If that was not you")
        assert.match(
          key,
          /^An API key that acts as you was created\.\r\n\r\nEnds in: \u2026k3yZ\r\nDone by: your account\r$/m
        )
        assert.include(key, "https://slotkey.test/account")
        assert.match(keyRevoked, /^An API key of your account was revoked\.\r\n\r\nEnds in: \u2026k3yZ\r$/m)
      }))
  })

  describe("of API keys", () => {
    it.effect("warn the owner of those that are about to end, unless they were revoked meanwhile", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        const keys = yield* ApiKeys
        const olive = UserId.make("olive")
        const ends = DateTime.add(yield* DateTime.now, { days: 5 })
        const { info: first } = yield* keys.create(olive, "deploy", olive, ends)
        const { info: second } = yield* keys.create(olive, "report", olive, ends)
        yield* done(2)
        yield* outside
        const mail = (apiKeyIds: ReadonlyArray<ApiKeyId>) =>
          Effect.flatMap(Outbox, ({ publish }) => publish(ApiKeyEndMail.make({ userId: olive, apiKeyIds })))
        yield* mail([first.id, second.id])
        yield* done(1)
        const [{ message } = { message: "" }] = smtp.received
        assert.strictEqual(header(message, "Subject"), "API keys of your account are about to end")
        assert.include(message, `\u201cdeploy\u201d, ending in \u2026${first.lastFour}: `)
        assert.include(message, "https://slotkey.test/account")
        yield* keys.revokeAll(olive, olive)
        yield* mail([first.id, second.id])
        yield* done(3)
        assert.lengthOf(smtp.received.filter((one) => one.message.includes("about to end")), 1)
      }))
  })

  describe("of apps that change hands", () => {
    it.effect("tell the owner of now and the one of before, and nobody whose address is not known", () =>
      Effect.gen(function*() {
        const outbox = yield* Outbox
        const sql = yield* SqlClient.SqlClient
        const { smtp } = yield* outside
        yield* sql`INSERT INTO accounts (id, email, username, name, role, linked, created_at)
          VALUES ('linked', '', 'linked', 'Lin', 'user', true, now())`
        yield* outbox.publish(OwnerChange.make({ userId: UserId.make("linked"), clientId: app, isOwner: false }))
        yield* outbox.publish(OwnerChange.make({ userId: user, clientId: app, isOwner: true }))
        yield* done(2)
        assert.deepStrictEqual(to(smtp), ["uma"])
        assert.match(header(smtp.received[0]?.message ?? "", "subject") ?? "", /app_now\?=$/)
        yield* sql`DELETE FROM accounts WHERE id = 'linked'`
      }))
  })

  describe("of closed accounts", () => {
    it.effect("reach the address that the account had", () =>
      Effect.gen(function*() {
        const { smtp } = yield* outside
        const former = { userId: UserId.make("gone"), email: "gone@example.test", name: "Gone" }
        yield* Effect.flatMap(Outbox, ({ publish }) => publish(AccountClosed.make(former)))
        yield* done(1)
        assert.deepStrictEqual(to(smtp), ["gone"])
        assert.match(smtp.received[0]?.message ?? "", /Subject: Your account is closed\r/)
      }))
  })

  describe("of users", () => {
    it.effect("tell of a new connection and of one that ended because a token was used twice", () =>
      Effect.gen(function*() {
        const outbox = yield* Outbox
        const { smtp } = yield* outside
        yield* outbox.publish(NewConnection.make({ userId: user, clientId: app, scopes: ["BOOKING_READ"] }))
        yield* outbox.publish(TokenReuse.make({ userId: user, clientId: app, grantId: GrantId.make("g1") }))
        yield* done(2)
        assert.deepStrictEqual(to(smtp), ["uma", "uma"])
        for (const { message } of smtp.received) assert.include(message, "https://slotkey.test/connections")
        const subjects = smtp.received.map(({ message }) => header(message, "subject") ?? "")
        assert.deepStrictEqual(subjects.map((subject) => /connected|ended/.exec(subject)?.[0]).toSorted(), [
          "connected",
          "ended"
        ])
        assert.isTrue(smtp.received.some(({ message }) => message.includes("- See your bookings (BOOKING_READ)")))
      }))

    it.effect("say with which device something was done", () =>
      Effect.gen(function*() {
        const outbox = yield* Outbox
        const { smtp } = yield* outside
        const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
        const device = { browser, address: "192.0.2.7" }
        yield* outbox.publish(NewConnection.make({ userId: user, clientId: app, scopes: ["BOOKING_READ"], device }))
        yield* done(1)
        const [{ html, message } = { html: "", message: "" }] = smtp.received
        assert.match(
          message,
          /^Website: tidy\.test\r\nWhen: .*\r\nBrowser: Firefox 130 on Linux\r\nNetwork address: 192\.0\.2\.7\r$/m
        )
        assert.include(html, "Firefox 130 on Linux")
      }))

    it.effect("say that an app of the previous server may do all that its user may", () =>
      Effect.gen(function*() {
        const outbox = yield* Outbox
        const { smtp } = yield* outside
        yield* outbox.publish(NewConnection.make({ userId: user, clientId: app, scopes: null }))
        yield* done(1)
        assert.include(unwrapped(smtp.received[0]?.message), "whatever you can do yourself")
      }))
  })
})

layer(processWith({ MAIL_TIMEOUT: "1 second" }), { excludeTestServices: true })("A notice", (it) => {
  it.effect("is not lost while the mail server stalls, and has one identifier at every attempt", () =>
    Effect.gen(function*() {
      const { smtp } = yield* outside
      smtp.mood = "stalls"
      yield* publish("approved")
      yield* eventually(Effect.sync(() => smtp.attempts >= 2))
      smtp.mood = "accepts"
      yield* done(1)
      // The server may have taken one for which nobody waited any more.
      const sent = smtp.received.map(({ message, to }) => `${to} ${header(message, "Message-ID")}`)
      assert.strictEqual(new Set(sent).size, 1)
      assert.include(sent[0], "olive@example.test <")
    }))
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { LocalServices } from "../../src/app/Services.ts"
import { ApiKeyId, GrantId } from "../../src/domain/Ids.ts"
import { AccountClosed } from "../../src/foundation/jobs/kinds/AccountClosed.ts"
import { AccountMail } from "../../src/foundation/jobs/kinds/AccountMail.ts"
import { ApiKeyEndMail } from "../../src/foundation/jobs/kinds/ApiKeyEndMail.ts"
import { CredentialNotice } from "../../src/foundation/jobs/kinds/CredentialNotice.ts"
import { EndpointMail } from "../../src/foundation/jobs/kinds/EndpointMail.ts"
import { EndWarningMail } from "../../src/foundation/jobs/kinds/EndWarningMail.ts"
import { EndWarnings } from "../../src/foundation/jobs/kinds/EndWarnings.ts"
import { EventDelivery } from "../../src/foundation/jobs/kinds/EventDelivery.ts"
import { Expiry } from "../../src/foundation/jobs/kinds/Expiry.ts"
import { KeyRotation } from "../../src/foundation/jobs/kinds/KeyRotation.ts"
import { MigrationAudit } from "../../src/foundation/jobs/kinds/MigrationAudit.ts"
import { MigrationMail } from "../../src/foundation/jobs/kinds/MigrationMail.ts"
import { MissingLogos } from "../../src/foundation/jobs/kinds/MissingLogos.ts"
import { NewConnection } from "../../src/foundation/jobs/kinds/NewConnection.ts"
import { OwnerChange } from "../../src/foundation/jobs/kinds/OwnerChange.ts"
import { PasswordChanged } from "../../src/foundation/jobs/kinds/PasswordChanged.ts"
import { PlatformEvent } from "../../src/foundation/jobs/kinds/PlatformEvent.ts"
import { ReviewDigestMail } from "../../src/foundation/jobs/kinds/ReviewDigestMail.ts"
import { ReviewDigests } from "../../src/foundation/jobs/kinds/ReviewDigests.ts"
import { ReviewNotice } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { ReviewReminders } from "../../src/foundation/jobs/kinds/ReviewReminders.ts"
import { TokenReuse } from "../../src/foundation/jobs/kinds/TokenReuse.ts"
import { WebsiteLooks } from "../../src/foundation/jobs/kinds/WebsiteLooks.ts"
import { WishAnswer } from "../../src/foundation/jobs/kinds/WishAnswer.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { queueNames } from "../../src/foundation/jobs/queue/QueueNames.ts"
import { Workers } from "../../workers/Workers.ts"
import { slotkey } from "../support/Cli.ts"
import * as DocumentedRights from "../support/DocumentedRights.ts"
import { eventually } from "../support/Eventually.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { environment, layer, stores } from "../support/TestJobs.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import * as TestWebhook from "../support/TestWebhook.ts"
import { addPeople, app, user } from "./Scenario.ts"

/** A job of each kind. */
const jobs = [
  AccountClosed.make({ userId: user, email: "uma@example.test", name: "Uma" }),
  AccountMail.make({ mail: "password-reset", email: "uma@example.test" }),
  ApiKeyEndMail.make({ userId: user, apiKeyIds: [ApiKeyId.make("key_of_nobody")] }),
  CredentialNotice.make({ userId: user, event: "secret.generated", clientId: app, lastFour: ["abcd"], by: "cli" }),
  EndpointMail.make({ userId: user, clientId: app }),
  EndWarnings.make({}),
  EndWarningMail.make({ userId: user, until: DateTime.makeUnsafe("2030-01-01T00:00:00Z") }),
  EventDelivery.make({ clientId: app }),
  Expiry.make({}),
  KeyRotation.make({}),
  MigrationAudit.make({}),
  MigrationMail.make({ userId: user }),
  MissingLogos.make({}),
  NewConnection.make({ userId: user, clientId: app, scopes: null }),
  OwnerChange.make({ userId: user, clientId: app, isOwner: true }),
  PasswordChanged.make({ userId: user, by: "cli" }),
  PlatformEvent.make({ clientId: app, type: "app.deleted", data: {} }),
  ReviewDigestMail.make({ userId: user }),
  ReviewDigests.make({}),
  ReviewNotice.make({ clientId: app, event: "approved" }),
  ReviewReminders.make({}),
  TokenReuse.make({ grantId: GrantId.make("grant_of_nobody"), userId: user, clientId: app }),
  WebsiteLooks.make({}),
  WishAnswer.make({ userId: user, clientId: app, isApproved: true, reason: null, scopes: [] })
]
describe.each(stores)("With two roles in PostgreSQL, and the queues in $store", ({ skip, store }) => {
  const reason = TestDatabase.isServer ? skip : "skipped: TEST_DATABASE_URL names no server"
  if (reason !== undefined) return it.skip(reason)

  it.live(
    "jobs of all kinds are done, tried again and given up by a role that can make nothing",
    () =>
      Effect.gen(function*() {
        const url = yield* TestDatabase.temporarySchemaUrl
        if (url === undefined) return assert.fail("no server")
        const smtp = yield* TestSmtp.make
        const platform = yield* TestWebhook.make
        const { env } = yield* environment(store, {
          DATABASE_URL: DocumentedRights.addressFor("servers", Redacted.value(url)),
          MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"),
          MIGRATE: "apart",
          PLATFORM_WEBHOOK_URL: platform.url,
          PLATFORM_WEBHOOK_SECRET: "a secret of the platform",
          SMTP_URL: smtp.url
        })
        const behind = yield* slotkey(["migrate", "up", "--dry-run", "--json"], { env })
        assert.include(JSON.parse(behind.stdout).pending, "migration 0033_baseline")
        const refused = yield* slotkey(["migrate", "up"], { env })
        assert.match(refused.stderr, /The role in DATABASE_URL may not change the schema/)
        const up = yield* slotkey(["migrate", "up"], { env: { ...env, DATABASE_URL: Redacted.value(url) } })
        assert.strictEqual(up.code, 0, up.stderr)
        assert.strictEqual((yield* slotkey(["migrate", "status"], { env })).code, 0)

        assert.deepStrictEqual(jobs.map(({ queue }) => queue).toSorted(), queueNames.toSorted())
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const outbox = yield* Outbox
          yield* addPeople
          smtp.mood = "refuses"
          smtp.unknown.add("olive@example.test")
          yield* Layer.build(Workers)
          yield* Effect.forEach(jobs, outbox.publish)
          yield* eventually(Effect.sync(() => smtp.attempts > 3))
          smtp.mood = "accepts"
          const causes = sql<{ readonly cause: string }>`SELECT cause FROM outbox WHERE dead_at IS NOT NULL`
          yield* eventually(
            Effect.map(sql`SELECT 1 FROM outbox WHERE done_at IS NULL AND dead_at IS NULL`, (open) => open.length === 0)
          )
          assert.deepStrictEqual([...new Set((yield* causes).map(({ cause }) => cause))], [
            "The mail was not taken: Can't send mail - all recipients were rejected: 550 no such user"
          ])
          assert.isAbove(smtp.received.length, 3)
          assert.lengthOf(platform.events, 1)
        }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(LocalServices, layer(env))))
      }),
    120_000
  )
})

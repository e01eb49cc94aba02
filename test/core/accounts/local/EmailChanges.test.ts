import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Latch, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { deactivation } from "../../../../src/core/accounts/local/Deactivation.ts"
import { EmailChanges, perAccount } from "../../../../src/core/accounts/local/EmailChanges.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { PasswordResets } from "../../../../src/core/accounts/local/PasswordResets.ts"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { operator } from "../../../../src/core/audit/Operator.ts"
import { StoredClients } from "../../../../src/core/clients/ClientServices.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { StoredGrants } from "../../../../src/core/grants/GrantServices.ts"
import { MigrationAudits } from "../../../../src/core/legacy/migration/MigrationAudits.ts"
import { eventually } from "../../../support/Eventually.ts"
import { authenticate, password, Services } from "../Scenario.ts"

// PGlite runs one transaction after the other, so nothing can be concurrent there.
const isEmbedded = process.env["TEST_DATABASE_URL"] === undefined

let people = 0
const person = Effect.suspend(() =>
  Effect.flatMap(
    Accounts,
    (accounts) => accounts.create({ email: `old${++people}@example.test`, name: "Person", password })
  )
)

const tokenIn = (url: Redacted.Redacted) => new URL(Redacted.value(url)).searchParams.get("token") ?? ""

/** Token that the last mail to a new address holds. */
const mailed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [job] = yield* sql<{ link: string }>`SELECT payload ->> 'linkId' AS link FROM outbox
    WHERE payload ->> 'mail' = 'email-change' ORDER BY id DESC LIMIT 1`
  const prepared = yield* (yield* EmailChanges).prepare(job?.link ?? "")
  return tokenIn(Option.getOrThrow(prepared).url)
})

const addressOf = (id: string) =>
  Effect.map(Effect.flatMap(Accounts, (accounts) => accounts.find(id)), (found) => Option.getOrThrow(found).email)

const All = ClientReview.layer.pipe(
  Layer.provideMerge(StoredGrants),
  Layer.provide(StoredClients),
  Layer.provide(MigrationAudits.layerUsage),
  Layer.provide(MigrationAudits.layer),
  Layer.provideMerge(Services)
)

layer(All)("EmailChanges", (it) => {
  it.effect("keeps the old address until the new one is confirmed, once", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const resets = yield* PasswordResets
      const account = yield* person
      yield* changes.request(account, " new1@example.test ")
      assert.strictEqual(Option.getOrThrow(yield* changes.pending(account.id)).email, "new1@example.test")
      const confirmation = yield* mailed
      const reset = tokenIn(Option.getOrThrow(yield* resets.prepare(account.email, "job-of-the-old-address")).url)
      assert.strictEqual(yield* addressOf(account.id), account.email)
      yield* changes.confirm(confirmation)
      assert.strictEqual(yield* addressOf(account.id), "new1@example.test")
      // A mail at the old address opens the account no more.
      assert.isTrue(Option.isNone(yield* resets.find(reset)))
      assert.strictEqual((yield* Effect.flip(changes.confirm(confirmation)))._tag, "LinkUnusable")
    }))

  it.effect("ends after an hour, when it is withdrawn, and with a later change", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const account = yield* person
      yield* changes.request(account, "first@example.test")
      const first = yield* mailed
      yield* changes.request(account, "second@example.test")
      assert.strictEqual((yield* Effect.flip(changes.confirm(first)))._tag, "LinkUnusable")
      const second = yield* mailed
      yield* changes.withdraw(account.id)
      assert.strictEqual((yield* Effect.flip(changes.confirm(second)))._tag, "LinkUnusable")
      yield* changes.request(account, "third@example.test")
      const third = yield* mailed
      yield* TestClock.adjust(Duration.hours(1))
      assert.isTrue(Option.isNone(yield* changes.find(third)))
    }))

  it.effect("answers the same for a taken address, and refuses one that was taken meanwhile", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const owner = yield* person
      const account = yield* person
      yield* changes.request(account, owner.email.toUpperCase())
      const confirmation = yield* mailed
      assert.strictEqual((yield* Effect.flip(changes.confirm(confirmation)))._tag, "Conflict")
      assert.strictEqual(yield* addressOf(account.id), account.email)
      assert.strictEqual((yield* Effect.flip(changes.request(account, account.email)))._tag, "BadRequest")
      assert.strictEqual((yield* Effect.flip(changes.request(account, "nobody")))._tag, "BadRequest")
    }))

  it.effect("is asked for a few times an hour, because each time is two mails", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const account = yield* person
      for (let i = 0; i < perAccount; i++) yield* changes.request(account, `many${i}@example.test`)
      assert.strictEqual((yield* Effect.flip(changes.request(account, "more@example.test")))._tag, "TooManyAttempts")
    }))

  it.effect("is over when the account is disabled, and stays over when it is enabled again", () =>
    Effect.gen(function*() {
      const accounts = yield* ManagedAccounts
      const changes = yield* EmailChanges
      const resets = yield* PasswordResets
      const account = yield* person
      yield* changes.request(account, "thief3@example.test")
      const confirmation = yield* mailed
      const reset = tokenIn(Option.getOrThrow(yield* resets.prepare(account.email, "job-before-disabling")).url)
      yield* (yield* deactivation)(account.id, "cli")
      assert.isTrue(Option.isNone(yield* changes.find(confirmation)))
      assert.strictEqual((yield* Effect.flip(changes.confirm(confirmation)))._tag, "LinkUnusable")
      yield* accounts.setDisabled(account.id, false, "cli")
      assert.strictEqual((yield* Effect.flip(changes.confirm(confirmation)))._tag, "LinkUnusable")
      assert.isTrue(Option.isNone(yield* resets.find(reset)))
      assert.strictEqual(yield* addressOf(account.id), account.email)
    }))

  it.effect("is not confirmed for an account that was disabled while the change was asked for", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const account = yield* person
      yield* changes.request(account, "late@example.test")
      const confirmation = yield* mailed
      yield* (yield* ManagedAccounts).setDisabled(account.id, true, "cli")
      assert.strictEqual((yield* Effect.flip(changes.confirm(confirmation)))._tag, "LinkUnusable")
      assert.strictEqual(yield* addressOf(account.id), account.email)
    }))

  it.effect("ends all sessions, API keys and mailed links with the confirmation, and keeps the password", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const identities = yield* IdentitySource
      const keys = yield* ApiKeys
      const resets = yield* PasswordResets
      const sessions = yield* Sessions
      const account = yield* person
      const session = Redacted.value(yield* sessions.start(account.id))
      yield* keys.create(account.id, "script", account.id)
      yield* changes.request(account, "moved@example.test")
      const reset = tokenIn(Option.getOrThrow(yield* resets.prepare(account.email, "job-before-the-change")).url)
      const confirmation = yield* mailed
      assert.isTrue(Option.isSome(yield* sessions.find(session)))
      yield* changes.confirm(confirmation)
      assert.isTrue(Option.isNone(yield* sessions.find(session)))
      assert.isEmpty(yield* keys.list(account.id))
      assert.isTrue(Option.isNone(yield* resets.find(reset)))
      assert.isTrue(Option.isSome(yield* authenticate(identities)("moved@example.test", password)))
      assert.isTrue(Option.isNone(yield* authenticate(identities)(account.email, password)))
    }))

  it.effect("is taken back by an operator, which ends sessions, API keys, links and the password, and mails a link", () =>
    Effect.gen(function*() {
      const audit = yield* AuditLog
      const changes = yield* EmailChanges
      const identities = yield* IdentitySource
      const keys = yield* ApiKeys
      const resets = yield* PasswordResets
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      const account = yield* person
      yield* changes.request(account, "thief@example.test")
      yield* changes.confirm(yield* mailed)
      // The thief goes on with the account.
      const session = Redacted.value(yield* sessions.start(account.id))
      yield* keys.create(account.id, "script", account.id)
      yield* changes.request({ ...account, email: "thief@example.test" }, "thief2@example.test")
      const next = yield* mailed
      const reset = tokenIn(Option.getOrThrow(yield* resets.prepare("thief@example.test", "job-of-the-thief")).url)

      yield* changes.restore(account.id, ` ${account.email} `, operator)
      assert.strictEqual(yield* addressOf(account.id), account.email)
      assert.isTrue(Option.isNone(yield* sessions.find(session)))
      assert.isEmpty(yield* keys.list(account.id))
      assert.isTrue(Option.isNone(yield* authenticate(identities)(account.email, password)))
      assert.strictEqual((yield* Effect.flip(changes.confirm(next)))._tag, "LinkUnusable")
      assert.isTrue(Option.isNone(yield* resets.find(reset)))
      const [job] = yield* sql<{ payload: unknown }>`SELECT payload FROM outbox WHERE queue = 'account-mails'
        ORDER BY id DESC LIMIT 1`
      assert.deepStrictEqual(job?.payload, { mail: "password-reset", email: account.email })
      const [entry] = yield* audit.list({ userId: account.id, actions: ["account.email_restored"], limit: 1 })
      assert.deepInclude({ ...entry }, { actor: operator, userId: account.id })
    }))

  it.effect("is not asked for by a page that was opened before the old address came back", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const account = yield* person
      yield* changes.restore(account.id, `back-${account.email}`, operator)
      assert.strictEqual((yield* Effect.flip(changes.request(account, "thief@example.test")))._tag, "BadRequest")
      assert.isTrue(Option.isNone(yield* changes.pending(account.id)))
    }))

  it.effect("is not taken back to an address that another account has, and nothing ends", () =>
    Effect.gen(function*() {
      const changes = yield* EmailChanges
      const sessions = yield* Sessions
      const other = yield* person
      const account = yield* person
      const session = Redacted.value(yield* sessions.start(account.id))
      assert.strictEqual((yield* Effect.flip(changes.restore(account.id, other.email, operator)))._tag, "Conflict")
      assert.strictEqual((yield* Effect.flip(changes.restore(account.id, "nobody", operator)))._tag, "BadRequest")
      assert.isTrue(Option.isSome(yield* sessions.find(session)))
      assert.strictEqual(yield* addressOf(account.id), account.email)
    }))

  it.effect.skipIf(isEmbedded)(
    "is not confirmed at the moment in which the old address comes back",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const changes = yield* EmailChanges
        const account = yield* person
        yield* changes.request(account, "both@example.test")
        const confirmation = yield* mailed
        const waiting = (count: number) =>
          TestClock.withLive(eventually(Effect.map(
            sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            (rows) => rows.length === count
          )))
        const [held, both] = [yield* Latch.make(), yield* Latch.make()]
        yield* sql`SELECT 1 FROM accounts WHERE id = ${account.id} FOR UPDATE`.pipe(
          Effect.andThen(held.open),
          Effect.andThen(both.await),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* held.await
        const restored = yield* Effect.forkChild(Effect.exit(changes.restore(account.id, account.email, operator)))
        yield* waiting(1)
        const thief = yield* Effect.forkChild(Effect.flip(changes.confirm(confirmation)))
        yield* waiting(2)
        yield* both.open
        assert.isTrue(Exit.isSuccess(yield* Fiber.join(restored)))
        assert.strictEqual((yield* Fiber.join(thief))._tag, "LinkUnusable")
        assert.strictEqual(yield* addressOf(account.id), account.email)
      })
  )
})

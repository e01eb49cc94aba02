import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { publishSecretReminders, removeEndedSecrets } from "../../../../src/core/clients/secrets/SecretEnds.ts"
import { SecretVault } from "../../../../src/core/clients/secrets/SecretVault.ts"
import type { ClientId } from "../../../../src/domain/Ids.ts"
import * as Clients from "../Scenario.ts"

const newClient = Effect.gen(function*() {
  const { client, secret } = yield* Clients.newClient(yield* Clients.newAccount("dev"))
  const [first] = yield* (yield* SecretVault).list(client.id)
  return { id: client.id, first: { id: first?.id ?? "", secret: Option.getOrThrow(secret) } }
})

const inHours = (hours: number) => Effect.map(DateTime.now, (now) => DateTime.add(now, { hours }))

const notices = Effect.fnUntraced(function*(id: ClientId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ event: string }>`SELECT payload->>'event' AS event FROM outbox
    WHERE queue = 'credential-notices' AND payload->>'clientId' = ${id} ORDER BY outbox.id`
  return rows.map(({ event }) => event)
})

/** A secret as the rule sees it, told in another way than the server does. */
interface Modelled {
  readonly id: string
  readonly secret: Redacted.Redacted
  readonly createdAt: number
  endsAt: number
}

const isLater = (one: Modelled, other: Modelled): boolean =>
  one.endsAt !== other.endsAt
    ? one.endsAt > other.endsAt
    : one.createdAt !== other.createdAt
    ? one.createdAt > other.createdAt
    : one.id > other.id

/** Secrets that are left at a time: of several that have all ended, the latest. */
const leftAt = (secrets: ReadonlyArray<Modelled>, now: number): Array<Modelled> =>
  secrets.filter((one) => one.endsAt > now || !secrets.some((other) => isLater(other, one)))

layer(Clients.Services, { timeout: 60_000 })("The end of a secret", (it) => {
  it.effect("comes at once, with an entry of the trail and a mail once it is swept", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      yield* vault.changeEnd(id, first.id, yield* inHours(2))
      const second = yield* vault.generate(id, { endsAt: yield* inHours(5) })
      yield* TestClock.adjust("119 minutes")
      assert.isTrue(yield* Clients.authenticates(id, first.secret))
      yield* TestClock.adjust("1 minute")
      assert.isFalse(yield* Clients.authenticates(id, first.secret))
      assert.isTrue(yield* Clients.authenticates(id, second.secret))
      assert.deepStrictEqual((yield* vault.list(id)).map(({ id }) => id), [second.info.id])

      assert.strictEqual(yield* removeEndedSecrets, 1)
      assert.strictEqual(yield* removeEndedSecrets, 0)
      const [entry] = yield* (yield* AuditLog).list({ clientId: id })
      assert.strictEqual(entry?.action, "secret.ended")
      assert.deepStrictEqual(yield* notices(id), ["secret.generated", "secret.ended"])
    }))

  it.effect("passes the last one by, which is overdue and cannot be revoked", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      yield* vault.changeEnd(id, first.id, yield* inHours(1))
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* removeEndedSecrets, 0)
      assert.isTrue(yield* Clients.authenticates(id, first.secret))
      assert.deepStrictEqual((yield* vault.list(id)).map(({ isOverdue }) => isOverdue), [true])
      assert.strictEqual((yield* Effect.flip(vault.revoke(id, first.id))).code, "last_secret")
    }))

  it.effect("leaves an overdue one a week once there is another, and not a moment longer", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      yield* vault.changeEnd(id, first.id, yield* inHours(1))
      yield* TestClock.adjust("30 days")
      const second = yield* vault.generate(id)
      assert.isTrue(yield* Clients.authenticates(id, first.secret))
      yield* TestClock.adjust(Duration.subtract(Duration.days(7), Duration.millis(1)))
      assert.isTrue(yield* Clients.authenticates(id, first.secret))
      yield* TestClock.adjust("1 millis")
      assert.isFalse(yield* Clients.authenticates(id, first.secret))
      assert.isTrue(yield* Clients.authenticates(id, second.secret))
    }))

  it.effect("is not undone by revoking the other one before the sweep", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      const second = yield* vault.generate(id)
      yield* vault.changeEnd(id, first.id, yield* inHours(1))
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Effect.flip(vault.revoke(id, second.info.id))).code, "last_secret")
      const error = yield* Effect.flip(vault.changeEnd(id, first.id, null))
      assert.strictEqual(error.code, "secret_not_found")
      assert.isFalse(yield* Clients.authenticates(id, first.secret))
      // There is room for another again.
      yield* vault.generate(id)
    }))

  it.effect("cannot be in the past", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      for (const hours of [0, -1]) {
        const endsAt = yield* inHours(hours)
        assert.strictEqual((yield* Effect.flip(vault.changeEnd(id, first.id, endsAt)))._tag, "BadRequest")
        assert.strictEqual((yield* Effect.flip(vault.generate(id, { endsAt })))._tag, "BadRequest")
      }
    }))

  it.effect("is reminded of 30, 7 and 2 days before, and each week when it is overdue: once, however many look", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      yield* vault.changeEnd(id, first.id, yield* inHours(40 * 24))
      const days: Array<number> = []
      for (let day = 1; day <= 57; day++) {
        yield* TestClock.adjust("1 day")
        const before = (yield* notices(id)).length
        yield* Effect.all([publishSecretReminders, publishSecretReminders, publishSecretReminders], {
          concurrency: "unbounded"
        })
        const sent = (yield* notices(id)).length - before
        assert.isAtMost(sent, 1)
        if (sent === 1) days.push(day)
      }
      assert.deepStrictEqual(days, [10, 33, 38, 40, 47, 54])
      const ending = ["secret.ending", "secret.ending", "secret.ending"]
      const overdue = ["secret.overdue", "secret.overdue", "secret.overdue"]
      assert.deepStrictEqual(yield* notices(id), [...ending, ...overdue])
    }))

  it.effect("is not reminded of while its owner has chosen it for less than that time", () =>
    Effect.gen(function*() {
      const vault = yield* SecretVault
      const { first, id } = yield* newClient
      yield* vault.changeEnd(id, first.id, yield* inHours(24))
      yield* publishSecretReminders
      assert.deepStrictEqual(yield* notices(id), [])
      yield* TestClock.adjust("1 day")
      yield* publishSecretReminders
      assert.deepStrictEqual(yield* notices(id), ["secret.overdue"])
    }))

  const End = Schema.NullOr(Schema.Literals([1, 2, 3, 200]))
  const Command = Schema.Union([
    Schema.Struct({ what: Schema.Literal("wait"), hours: Schema.Literals([1, 2, 100]) }),
    Schema.Struct({ what: Schema.Literal("generate"), end: End }),
    Schema.Struct({ what: Schema.Literal("change"), which: Schema.Literals([0, 1]), end: End }),
    Schema.Struct({ what: Schema.Literal("revoke"), which: Schema.Literals([0, 1]) }),
    Schema.Struct({ what: Schema.Literal("sweep") })
  ])
  it.effect.prop(
    "never leaves an app without a secret, nor brings one back that has ended",
    [Schema.Array(Command).check(Schema.isMaxLength(15))],
    ([commands]) =>
      Effect.gen(function*() {
        const vault = yield* SecretVault
        const { first, id } = yield* newClient
        const millis = Effect.map(DateTime.now, DateTime.toEpochMillis)
        const endOf = (end: number | null) => end === null ? Effect.succeed(null) : inHours(end)
        const timeOf = (end: DateTime.Utc | null) => end === null ? Infinity : DateTime.toEpochMillis(end)
        let model: Array<Modelled> = [{ ...first, createdAt: yield* millis, endsAt: Infinity }]
        const ever = new Map(model.map((one) => [one.id, one.secret]))
        for (const command of commands) {
          const now = yield* millis
          switch (command.what) {
            case "wait":
              yield* TestClock.adjust(Duration.hours(command.hours))
              break
            case "sweep":
              yield* removeEndedSecrets
              break
            case "generate": {
              const endsAt = yield* endOf(command.end)
              const made = yield* Effect.option(vault.generate(id, { endsAt }))
              assert.strictEqual(Option.isSome(made), model.length === 1)
              if (Option.isNone(made)) break
              for (const one of model) if (one.endsAt <= now) one.endsAt = now + 7 * 24 * 3_600_000
              const { info, secret } = made.value
              model.push({ id: info.id, secret, createdAt: now, endsAt: timeOf(endsAt) })
              ever.set(info.id, secret)
              break
            }
            case "change": {
              const target = model[command.which]
              const endsAt = yield* endOf(command.end)
              const changed = yield* Effect.option(vault.changeEnd(id, target?.id ?? "sec_unknown", endsAt))
              assert.strictEqual(Option.isSome(changed), target !== undefined)
              if (target !== undefined) target.endsAt = timeOf(endsAt)
              break
            }
            case "revoke": {
              const target = model[command.which]
              const revoked = yield* Effect.option(vault.revoke(id, target?.id ?? "sec_unknown"))
              assert.strictEqual(Option.isSome(revoked), target !== undefined && model.length > 1)
              if (Option.isSome(revoked)) model = model.filter((one) => one !== target)
            }
          }
          model = leftAt(model, yield* millis)
          assert.isAbove(model.length, 0)
          const working: Array<string> = []
          for (const [one, secret] of ever) if (yield* Clients.authenticates(id, secret)) working.push(one)
          assert.sameMembers(working, model.map(({ id }) => id))
          assert.sameMembers((yield* vault.list(id)).map(({ id }) => id), working)
        }
      }),
    { arbitrary: { runs: 60 } }
  )
})

// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Exit, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { PasswordResets, perCaller, perMailbox } from "../../../../src/core/accounts/local/PasswordResets.ts"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { CallerAddress } from "../../../../src/core/limits/CallerAddress.ts"
import { useUp } from "../../../support/LimitedSubject.ts"
import { recordedSpans } from "../../../support/RecordedSpans.ts"
import { authenticate, password, Services } from "../Scenario.ts"

const replacement = Redacted.make("a quite different sentence")

let people = 0
const person = Effect.suspend(() =>
  Effect.flatMap(
    Accounts,
    (accounts) => accounts.create({ email: `Person${++people}@example.test`, name: "Person", password })
  )
)

const jobs = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ payload: unknown }>`SELECT payload FROM outbox WHERE queue = 'account-mails' ORDER BY id`
})

const tokenIn = (url: Redacted.Redacted) => new URL(Redacted.value(url)).searchParams.get("token") ?? ""

const mailed = Effect.fnUntraced(function*(email: string, job = `job-${++people}`) {
  return tokenIn(Option.getOrThrow(yield* (yield* PasswordResets).prepare(email, job)).url)
})

layer(Services)("PasswordResets", (it) => {
  it.effect("does the same for every address: only the job looks whether there is an account", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const sql = yield* SqlClient.SqlClient
      const { email } = yield* person
      const statements = Effect.fnUntraced(function*(email: string) {
        yield* sql`DELETE FROM outbox`
        yield* resets.request(email)
        return (yield* jobs).length
      })
      assert.strictEqual(yield* statements(email), 1)
      assert.strictEqual(yield* statements("nobody@example.test"), 1)
      assert.isTrue(Option.isNone(yield* resets.prepare("nobody@example.test", "job-nobody")))
      assert.strictEqual((yield* Effect.flip(resets.request("nobody")))._tag, "BadRequest")
    }))

  it.effect("mails an address at most three times in the hour for which the links work, and says nothing of it", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM outbox`
      for (let i = 0; i < perMailbox + 2; i++) {
        yield* resets.request(i % 2 ? "full@example.test" : "FULL@example.test")
      }
      assert.lengthOf(yield* jobs, perMailbox)
      yield* TestClock.adjust(Duration.hours(1))
      yield* resets.request("full@example.test")
      assert.lengthOf(yield* jobs, perMailbox + 1)
    }))

  it.effect("counts the spellings together that the database takes for one address", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM outbox`
      const spellings = ["iiii", "İiii", "İİii", "iİİi", "İİİİ"].map((name) => `${name}@example.test`)
      yield* Effect.forEach(spellings, (one) => resets.request(one))
      // A database of another locale may take some for several.
      const [row] = yield* sql<{ n: number }>`SELECT count(DISTINCT lower(a))::int AS n
        FROM unnest(${spellings}::text[]) AS a`
      assert.isAtMost((yield* jobs).length, perMailbox * (row?.n ?? 0))
    }))

  it.effect("refuses a network address that asks for many", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      for (let i = 0; i < perCaller; i++) yield* resets.request(`victim${i}@example.test`)
      const refused = yield* Effect.flip(resets.request("one-more@example.test"))
      assert.strictEqual(refused._tag, "TooManyAttempts")
    }).pipe(Effect.provideService(CallerAddress, "192.0.2.40")))

  it.effect("sets the password once, ends all sessions, and the API keys if that is asked for", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const keys = yield* ApiKeys
      const sessions = yield* Sessions
      const { email, id } = yield* person
      const session = Redacted.value(yield* sessions.start(id))
      yield* keys.create(id, "script", id)
      const token = yield* mailed(email.toLowerCase())
      assert.strictEqual(Option.getOrThrow(yield* resets.find(token)).id, id)
      yield* resets.use(token, { password: replacement, endApiKeys: false }, Effect.succeed)
      const identities = yield* IdentitySource
      assert.isTrue(Option.isSome(yield* authenticate(identities)(email, replacement)))
      assert.isTrue(Option.isNone(yield* authenticate(identities)(email, password)))
      assert.isTrue(Option.isNone(yield* sessions.find(session)))
      assert.lengthOf(yield* keys.list(id), 1)
      assert.isTrue(Option.isNone(yield* resets.find(token)))
      const again = yield* Effect.flip(resets.use(token, { password, endApiKeys: true }, Effect.succeed))
      assert.strictEqual(again._tag, "LinkUnusable")
      yield* resets.use(yield* mailed(email), { password, endApiKeys: true }, Effect.succeed)
      assert.isEmpty(yield* keys.list(id))
    }))

  it.effect("hashes no password for an account whose budget is used up", () =>
    Effect.gen(function*() {
      const { email, id } = yield* person
      const token = yield* mailed(email)
      yield* useUp("budget", "sign-in", "account", id)
      const { layer, spans } = recordedSpans()
      const use = Effect.provide(
        (yield* PasswordResets).use(token, { password: replacement, endApiKeys: false }, Effect.succeed),
        layer
      )
      assert.isTrue(Exit.hasDies(yield* Effect.exit(use)))
      assert.isFalse(spans.some(({ name }) => name === "Passwords.hash"))
    }))

  it.effect("lets one of concurrent uses succeed", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const { email } = yield* person
      const token = yield* mailed(email)
      const use = Effect.result(resets.use(token, { password: replacement, endApiKeys: false }, Effect.succeed))
      const results = yield* Effect.all([use, use, use], { concurrency: "unbounded" })
      assert.lengthOf(results.filter(Result.isSuccess), 1)
    }))

  it.effect("keeps a digest, and one link with all the tokens of a mail that was tried twice", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const sql = yield* SqlClient.SqlClient
      const { email } = yield* person
      const first = yield* mailed(email, "job-twice")
      const second = yield* mailed(email, "job-twice")
      const rows =
        yield* sql`SELECT * FROM mailed_links l JOIN mailed_link_tokens t ON t.link_id = l.id WHERE id = 'job-twice'`
      assert.lengthOf(rows, 2)
      assert.notInclude(JSON.stringify(rows), first)
      assert.isTrue(Option.isSome(yield* resets.find(first)))
      yield* resets.use(second, { password: replacement, endApiKeys: false }, Effect.succeed)
      assert.isTrue(Option.isNone(yield* resets.find(first)))
    }))

  it.effect("survives bad input, and ends after an hour, with any use, or with the account", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const accounts = yield* Accounts
      const { email, id } = yield* person
      const token = yield* mailed(email)
      const other = yield* mailed(email)
      for (const weak of ["short", "aaaaaaaaaaaa"]) {
        const refused = yield* Effect.flip(
          resets.use(token, { password: Redacted.make(weak), endApiKeys: false }, Effect.succeed)
        )
        assert.strictEqual(refused._tag, "BadRequest")
      }
      yield* resets.use(token, { password: replacement, endApiKeys: false }, Effect.succeed)
      assert.isTrue(Option.isNone(yield* resets.find(other)))

      const late = yield* mailed(email)
      yield* TestClock.adjust(Duration.minutes(59))
      assert.isTrue(Option.isSome(yield* resets.find(late)))
      yield* TestClock.adjust(Duration.minutes(1))
      assert.isTrue(Option.isNone(yield* resets.find(late)))
      const expired = yield* Effect.flip(resets.use(late, { password, endApiKeys: false }, Effect.succeed))
      assert.strictEqual(expired._tag, "LinkUnusable")

      const last = yield* mailed(email)
      yield* (yield* ManagedAccounts).setDisabled(id, true, "cli")
      assert.isTrue(Option.isNone(yield* resets.find(last)))
      assert.isTrue(Option.isNone(yield* resets.prepare(email, "job-disabled")))
      yield* accounts.remove(id, "cli")
      assert.isTrue(Option.isNone(yield* resets.find(last)))
    }))

  it.effect("mails nothing to a linked account, whose user signs in elsewhere", () =>
    Effect.gen(function*() {
      const resets = yield* PasswordResets
      const sql = yield* SqlClient.SqlClient
      const { email, id } = yield* person
      yield* sql`UPDATE accounts SET linked = true WHERE id = ${id}`
      assert.isTrue(Option.isNone(yield* resets.prepare(email, "job-elsewhere")))
    }))
})

import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Exit, Layer, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LinkedAccounts } from "../../../../src/core/accounts/linked/LinkedAccounts.ts"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { SignIn } from "../../../../src/core/accounts/people/SignIn.ts"
import { perAccount, perAddress, SignInThrottle, window } from "../../../../src/core/accounts/people/SignInThrottle.ts"
import { CallerAddress } from "../../../../src/core/limits/CallerAddress.ts"
import { LimitServices } from "../../../../src/core/limits/LimitServices.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { limitedSubject } from "../../../support/LimitedSubject.ts"
import { password, Services } from "../Scenario.ts"

const wrong = Redacted.make("not the right password")
const times = <A>(n: number, make: (i: number) => A) => Array.from({ length: n }, (_, i) => make(i))

layer(Services)("SignIn", (it) => {
  it.effect("starts a session for the right password only", () =>
    Effect.gen(function*() {
      const signIn = yield* SignIn
      const account = yield* (yield* Accounts).create({ email: "ann@example.test", name: "Ann", password })
      const token = yield* signIn.start({ email: "Ann@example.test", password, address: "192.0.2.1" })
      const session = Option.getOrThrow(yield* (yield* Sessions).find(Redacted.value(token)))
      assert.strictEqual(session.userId, account.id)
      // A sign-in costs its account one of its budget.
      const subject = yield* limitedSubject("budget", "sign-in", "account", account.id)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT count FROM rate_limits WHERE subject = ${subject}`, [{ count: 1 }])
      for (const email of ["ann@example.test", "nobody@example.test", "nul\0@example.test", "\ud800"]) {
        const refused = yield* Effect.flip(signIn.start({ email, password: wrong, address: "192.0.2.1" }))
        assert.strictEqual(refused._tag, "WrongCredentials")
      }
    }))

  it.effect("confirms an account by its own password, and a linked one by none", () =>
    Effect.gen(function*() {
      const signIn = yield* SignIn
      const accounts = yield* Accounts
      const email = "cleo@example.test"
      const local = yield* accounts.create({ email, name: "Cleo", password })
      const linked = yield* (yield* LinkedAccounts).signIn({
        issuer: "https://id.test",
        subject: "1",
        profile: { email },
        roles: {}
      })
      const attempt = { password, address: "192.0.2.1" }
      yield* signIn.confirm(local, attempt)
      assert.strictEqual((yield* Effect.flip(signIn.confirm(linked, attempt)))._tag, "WrongCredentials")
      const given = accounts.setPassword(linked.id, password, "cli")
      assert.strictEqual((yield* Effect.flip(given))._tag, "NotFound")
    }))

  it.effect.each([{ email: "bob@example.test" }, { email: "nobody@example.test" }])(
    "limits the failures for $email from one address until the window ends",
    ({ email }) =>
      Effect.gen(function*() {
        const signIn = yield* SignIn
        yield* Effect.ignore((yield* Accounts).create({ email: "bob@example.test", name: "Bob", password }))
        const attempt = Effect.flip(signIn.start({ email, password: wrong, address: "192.0.2.2" }))
        const tags = yield* Effect.forEach(times(perAccount + 2, () => attempt), (attempt) => attempt)
        assert.deepStrictEqual(
          tags.map(({ _tag }) => _tag),
          [...times(perAccount, () => "WrongCredentials" as const), "TooManyAttempts", "TooManyAttempts"]
        )
        // The right password is refused as well, or the limit would tell it from wrong ones.
        const right = yield* Effect.flip(signIn.start({ email, password, address: "192.0.2.2" }))
        assert.strictEqual(right._tag, "TooManyAttempts")
        yield* TestClock.adjust(Duration.minutes(15))
        assert.strictEqual((yield* attempt)._tag, "WrongCredentials")
      })
  )

  it.effect("takes the right password for no guess while a budget is used up", () =>
    Effect.gen(function*() {
      const signIn = yield* SignIn
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* (yield* Accounts).create({ email: "eve@example.test", name: "Eve", password })
      const start = signIn.start({ email: "eve@example.test", password, address: "192.0.2.7" })
      yield* start
      const ofBudget = sql`WHERE subject = ${yield* limitedSubject("budget", "sign-in", "account", id)}`
      yield* sql`UPDATE rate_limits SET count = 1000000 ${ofBudget}`
      const exits = yield* Effect.forEach(times(perAccount + 1, () => start), Effect.exit)
      assert.isTrue(exits.every(Exit.isFailure))
      yield* sql`DELETE FROM rate_limits ${ofBudget}`
      yield* start
    }))

  it.effect("lets the owner in from another address while somebody guesses", () =>
    Effect.gen(function*() {
      const signIn = yield* SignIn
      yield* (yield* Accounts).create({ email: "cat@example.test", name: "Cat", password })
      const guess = Effect.flip(signIn.start({ email: "cat@example.test", password: wrong, address: "192.0.2.3" }))
      yield* Effect.forEach(times(perAccount + 1, () => guess), (guess) => guess)
      yield* signIn.start({ email: "cat@example.test", password, address: "192.0.2.4" })
    }))

  it.effect("has the address of the attempt take its turn among the hashes", () =>
    Effect.gen(function*() {
      const identities = yield* IdentitySource
      const seen: Array<string | undefined> = []
      const watched = IdentitySource.of({
        ...identities,
        authenticateThen: () => Effect.map(CallerAddress, (address) => (seen.push(address), Option.none()))
      })
      const services = yield* Effect.provideService(Layer.build(Layer.fresh(SignIn.layer)), IdentitySource, watched)
      const attempt = { email: "eve@example.test", password, address: "192.0.2.6" }
      yield* Effect.flip(Context.get(services, SignIn).start(attempt))
      assert.deepStrictEqual(seen, ["192.0.2.6"])
    }))

  it.effect("forgets the failures after a success", () =>
    Effect.gen(function*() {
      const signIn = yield* SignIn
      yield* (yield* Accounts).create({ email: "dan@example.test", name: "Dan", password })
      const from = { email: "dan@example.test", address: "192.0.2.5" }
      const guess = Effect.flip(signIn.start({ ...from, password: wrong }))
      yield* Effect.forEach(times(perAccount - 1, () => guess), (guess) => guess)
      yield* signIn.start({ ...from, password })
      assert.strictEqual((yield* guess)._tag, "WrongCredentials")
    }))
})

layer(Services)("SignInThrottle", (it) => {
  it.effect.each([
    { what: "/56", each: (i: number) => `2001:db8:a:${(0x100 + i).toString(16)}::/64`, admitted: 2 * perAccount },
    { what: "/48", each: (i: number) => `2001:db8:b:${(i * 0x100).toString(16)}::/64`, admitted: 4 * perAccount }
  ])(
    "counts the failures for an account from all networks of one $what of IPv6",
    ({ admitted, each }) =>
      Effect.gen(function*() {
        const throttle = yield* SignInThrottle
        const email = `${admitted}@example.test`
        const results = yield* Effect.forEach(
          times(60, each),
          (address) => Effect.result(throttle.attempt(email, address))
        )
        assert.deepStrictEqual(results.map(Result.isSuccess), times(60, (i) => i < admitted))
        // The owner's neighbours gain nothing by a sign-in of the owner.
        yield* throttle.succeeded(email, each(0))
        yield* throttle.attempt(email, each(61))
        assert.isTrue(Result.isFailure(yield* Effect.result(throttle.attempt(email, each(62)))))
        yield* throttle.attempt(email, "2001:db8:c:1::/64")
      })
  )

  it.effect("slows guesses at an account from many networks, and locks its owner out of none", () =>
    Effect.gen(function*() {
      const throttle = yield* SignInThrottle
      const email = "lea@example.test"
      const guess = (address: string) => Effect.result(throttle.attempt(email, address))
      /** Guesses that a network has before it is refused. */
      const admitted = Effect.fnUntraced(function*(network: number) {
        for (let n = 0;; n++) if (Result.isFailure(yield* guess(`198.51.100.${network}`))) return n
      })
      const all = yield* Effect.forEach(times(80, (i) => i), admitted)
      assert.deepStrictEqual(all.slice(0, 5), times(5, () => perAccount))
      assert.deepStrictEqual([all[6], all.at(-1)], [3, 1])
      assert.isBelow(all.reduce((sum, n) => sum + n), 250)
      // Who has the right password needs no more than one, from any network; a mistake costs a quarter of an hour at
      // most.
      yield* throttle.attempt(email, "203.0.113.1")
      yield* throttle.succeeded(email, "203.0.113.1")
      yield* throttle.attempt(email, "203.0.113.1")
      assert.isTrue(Result.isFailure(yield* guess("203.0.113.1")))
      yield* TestClock.adjust(window)
      assert.strictEqual(yield* admitted(200), perAccount)
    }))

  it.effect("counts concurrent attempts one by one", () =>
    Effect.gen(function*() {
      const throttle = yield* SignInThrottle
      const attempts = times(perAccount + 10, () => Effect.result(throttle.attempt("a@example.test", "192.0.2.1")))
      const results = yield* Effect.all(attempts, { concurrency: "unbounded" })
      assert.strictEqual(results.filter(({ _tag }) => _tag === "Success").length, perAccount)
    }))

  it.effect("counts two spellings together whenever the database takes them for one address", () =>
    Effect.gen(function*() {
      const throttle = yield* SignInThrottle
      const sql = yield* SqlClient.SqlClient
      const letters = [..."iI\u0130\u0131σΣςk\u212aå\u212bß\u1e9eǆǅ"]
      const addresses = letters.map((letter) => `α${letter}@example.test`)
      const alike = yield* sql<{ a: string; b: string }>`SELECT a, b
        FROM unnest(${addresses}::text[]) AS a JOIN unnest(${addresses}::text[]) AS b ON lower(a) = lower(b) AND a <> b`
      assert.deepInclude(alike, { a: "αi@example.test", b: "αI@example.test" })
      yield* Effect.forEach(alike, ({ a, b }, i) =>
        Effect.gen(function*() {
          const address = `2001:db8:0:${i}::1`
          yield* Effect.forEach(times(perAccount, () => a), (email) => throttle.attempt(email, address))
          assert.isTrue(Result.isFailure(yield* Effect.result(throttle.attempt(b, address))), `${a} ${b}`)
          // The right password under one spelling forgets the failures under all.
          yield* throttle.succeeded(b, address)
          yield* throttle.attempt(a, address)
          // As many failures as these of one account together would slow it.
          yield* TestClock.adjust(window)
        }))
    }))

  it.effect("limits an address for all accounts together, and does not count a success", () =>
    Effect.gen(function*() {
      const throttle = yield* SignInThrottle
      const address = "192.0.2.2"
      yield* Effect.forEach(times(perAddress, (i) => i), (i) => throttle.attempt(`${i}@example.test`, address))
      yield* throttle.succeeded("0@example.test", address)
      yield* throttle.attempt("mine@example.test", address)
      const refused = yield* Effect.flip(throttle.attempt("another@example.test", address))
      assert.strictEqual(Duration.toMinutes(refused.retryAfter), 15)
      const rows = Effect.map((yield* SqlClient.SqlClient)`SELECT 1 FROM rate_limits`, ({ length }) => length)
      const before = yield* rows
      yield* Effect.forEach(times(20, (i) => i), (i) => Effect.flip(throttle.attempt(`new${i}@example.test`, address)))
      assert.strictEqual(yield* rows, before)
      yield* throttle.attempt("another@example.test", "192.0.2.3")
    }))

  it.effect("keeps nothing by which a copy of the database confirms a guessed address", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // Who has the copy knows all that a server knows but the master key.
      const subjectsUnder = Effect.fnUntraced(function*(masterKey: string) {
        yield* sql`DELETE FROM rate_limits`
        const config = yield* Layer.build(AppConfig.layerTest({ MASTER_KEY: masterKey }))
        const throttle = Layer.build(Layer.fresh(Layer.provide(SignInThrottle.layer, LimitServices))).pipe(
          Effect.provideContext(config),
          Effect.provideService(Layer.CurrentMemoMap, yield* Layer.makeMemoMap)
        )
        yield* Context.get(yield* throttle, SignInThrottle).attempt("ann@example.test", "192.0.2.9")
        return (yield* sql<{ subject: string }>`SELECT subject FROM rate_limits`).map(({ subject }) => subject)
      })
      const [ours, theirs] = [yield* subjectsUnder("A".repeat(43)), yield* subjectsUnder(`${"A".repeat(42)}E`)]
      assert.lengthOf(ours, 3)
      assert.deepStrictEqual(ours.filter((subject) => theirs.includes(subject)), [])
    }))

  it.effect("keeps neither addresses nor names", () =>
    Effect.gen(function*() {
      const throttle = yield* SignInThrottle
      const sql = yield* SqlClient.SqlClient
      yield* throttle.attempt("secret typed as name", "192.0.2.4")
      const rows = JSON.stringify(yield* sql`SELECT * FROM rate_limits`)
      assert.notInclude(rows, "secret")
      assert.notInclude(rows, "192.0.2.4")
    }))
})

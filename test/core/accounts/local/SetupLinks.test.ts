// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { SetupLinks } from "../../../../src/core/accounts/local/SetupLinks.ts"
import { CallerAddress } from "../../../../src/core/limits/CallerAddress.ts"
import { limitedSubject } from "../../../support/LimitedSubject.ts"
import { namesAbove, recordedSpans } from "../../../support/RecordedSpans.ts"
import { password, Services } from "../Scenario.ts"

const administrator = { email: "root@example.test", name: "Root", password }

const mint = Effect.gen(function*() {
  const link = new URL(Redacted.value(Option.getOrThrow(yield* (yield* SetupLinks).mint)))
  assert.strictEqual(`${link.origin}${link.pathname}`, "https://slotkey.test/setup")
  return link.searchParams.get("token") ?? ""
})

const withoutAdministrators = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM accounts`
  yield* sql`DELETE FROM setup_links`
})

layer(Services)("SetupLinks", (it) => {
  it.effect("counts each use that a link allows, with the sign-ins from its address", () =>
    Effect.gen(function*() {
      yield* withoutAdministrators
      const sql = yield* SqlClient.SqlClient
      const links = yield* SetupLinks
      const short = { ...administrator, password: Redacted.make("short") }
      yield* Effect.flip(links.use("slk_setup_unknown", short))
      yield* Effect.flip(links.use(yield* mint, short))
      const subject = yield* limitedSubject("budget", "sign-in", "address", "192.0.2.9")
      assert.deepStrictEqual(yield* sql`SELECT count FROM rate_limits WHERE subject = ${subject}`, [{ count: 1 }])
    }).pipe(Effect.provideService(CallerAddress, "192.0.2.9")))

  it.effect("makes the first administrator, once", () =>
    Effect.gen(function*() {
      yield* withoutAdministrators
      const links = yield* SetupLinks
      const token = yield* mint
      const other = yield* mint
      assert.isTrue(yield* links.isUsable(token))
      const account = yield* links.use(token, administrator)
      assert.isTrue(account.isAdmin)
      for (const spent of [token, other]) {
        assert.isFalse(yield* links.isUsable(spent))
        const again = yield* Effect.flip(links.use(spent, { ...administrator, email: "second@example.test" }))
        assert.strictEqual(again._tag, "SetupLinkUnusable")
      }
      assert.isTrue(Option.isNone(yield* links.mint))
      assert.strictEqual((yield* (yield* ManagedAccounts).list({})).accounts.length, 1)
    }))

  it.effect("makes one administrator when several links are used at the same moment", () =>
    Effect.gen(function*() {
      yield* withoutAdministrators
      const links = yield* SetupLinks
      const tokens = [yield* mint, yield* mint]
      const uses = [0, 0, 1, 1].map((link, i) =>
        Effect.result(links.use(tokens[link] ?? "", { ...administrator, email: `${i}@example.test` }))
      )
      const results = yield* Effect.all(uses, { concurrency: "unbounded" })
      assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      assert.strictEqual((yield* (yield* ManagedAccounts).list({})).accounts.length, 1)
    }))

  it.effect("is stored as a digest, expires after a day, and survives invalid input", () =>
    Effect.gen(function*() {
      yield* withoutAdministrators
      const links = yield* SetupLinks
      const sql = yield* SqlClient.SqlClient
      const token = yield* mint
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM setup_links`), token)
      const short = { ...administrator, password: Redacted.make("short") }
      assert.strictEqual((yield* Effect.flip(links.use(token, short)))._tag, "BadRequest")
      assert.isTrue(yield* links.isUsable(token))
      yield* TestClock.adjust(Duration.hours(24))
      assert.isFalse(yield* links.isUsable(token))
      assert.strictEqual((yield* Effect.flip(links.use(token, administrator)))._tag, "SetupLinkUnusable")
    }))

  it.effect("holds no connection to the database while it hashes the password", () =>
    Effect.gen(function*() {
      yield* withoutAdministrators
      const { layer, spans } = recordedSpans()
      yield* Effect.provide((yield* SetupLinks).use(yield* mint, administrator), layer)
      const above = namesAbove(spans.find(({ name }) => name === "Passwords.hash"))
      assert.include(above, "SetupLinks.use")
      assert.notInclude(above, "sql.transaction")
    }))

  it.effect("does not work once there is another administrator", () =>
    Effect.gen(function*() {
      yield* withoutAdministrators
      const token = yield* mint
      yield* (yield* Accounts).create({ ...administrator, role: "admin", by: "cli" })
      assert.isFalse(yield* (yield* SetupLinks).isUsable(token))
    }))
})

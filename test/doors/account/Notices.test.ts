import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { password } from "../../core/accounts/Scenario.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { browser, Services } from "./Scenario.ts"

const saved = "Your profile is saved."

/** Someone at a browser who saves their profile, and what they see then. */
const someone = Effect.gen(function*() {
  const email = `${crypto.randomUUID()}@example.test`
  const account = yield* (yield* Accounts).create({ email, name: "Someone", password })
  const window = yield* browser
  yield* window.post("/sign-in", { email, password: Redacted.value(password) })
  const csrf = yield* window.csrf("/account")
  const { name, timeZone, username, weekStart } = account
  const profile = { csrf, name, username, timeFormat: "24", weekStart, timeZone }
  return {
    ...window,
    userId: account.id,
    save: window.post("/account/profile", profile),
    isTold: Effect.map(window.get("/account"), ({ text }) => text.includes(saved))
  }
})

const kept = Effect.fnUntraced(function*(userId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ notices: ReadonlyArray<unknown> | null }>`SELECT notices FROM sessions
    WHERE user_id = ${userId}`
  return row?.notices ?? null
})

layer(Services)("A notice", (it) => {
  it.effect("is told once, by the page that the browser is sent to", () =>
    Effect.gen(function*() {
      const one = yield* someone
      const other = yield* someone
      assert.isFalse(yield* one.isTold)
      assert.strictEqual((yield* one.save).headers.get("location"), "/account")
      // A page in another tab, a look at the head alone, and another's page leave it.
      yield* one.get("/account/api-keys/revoke?id=none")
      yield* one.send("/account", { method: "HEAD" })
      assert.isFalse(yield* other.isTold)
      assert.isTrue(yield* one.isTold)
      assert.isFalse(yield* one.isTold)
      assert.isNull(yield* kept(one.userId))
    }))

  it.effect("is on one of two pages that are asked for at the same time", () =>
    Effect.gen(function*() {
      const { isTold, save } = yield* someone
      yield* save
      const told = yield* Effect.all([isTold, isTold, isTold], { concurrency: "unbounded" })
      assert.lengthOf(told.filter((isTold) => isTold), 1)
    }))

  it.effect("is forgotten after five minutes", () =>
    Effect.gen(function*() {
      const { isTold, save } = yield* someone
      yield* save
      yield* TestClock.adjust("5 minutes")
      assert.isFalse(yield* isTold)
    }))

  it.effect("does not push out that of another page, and no more than ten are kept", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { isTold, save, userId } = yield* someone
      yield* sql`UPDATE sessions SET notices = (SELECT jsonb_agg(jsonb_build_object('path', '/' || n, 'text', 'x',
          'until', '2999-01-01T00:00:00.000Z')) FROM generate_series(1, 12) n) WHERE user_id = ${userId}`
      yield* save
      yield* save
      assert.lengthOf((yield* kept(userId)) ?? [], 10)
      assert.isTrue(yield* isTold)
      assert.lengthOf((yield* kept(userId)) ?? [], 9)
    }))

  it.effect("is left out while the database accepts no writes, and the page is not", () =>
    Effect.gen(function*() {
      const { get, save } = yield* someone
      yield* save
      yield* TestDatabase.as("owner", (sql) =>
        sql`ALTER TABLE sessions ADD CONSTRAINT no_writes CHECK (notices IS NOT NULL) NOT VALID`)
      const page = yield* get("/account")
      yield* TestDatabase.as("owner", (sql) =>
        sql`ALTER TABLE sessions DROP CONSTRAINT no_writes`)
      assert.strictEqual(page.status, 200)
      assert.notInclude(page.text, saved)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { useUp } from "../../../support/LimitedSubject.ts"
import { LogLines } from "../../../support/LogLines.ts"
import { browser, Platform, Server } from "./Scenario.ts"

const made = (answer: URL, code: string) => {
  const url = new URL(answer)
  url.searchParams.set("code", code)
  return url
}

layer(Server.pipe(Layer.provideMerge(LogLines.layer)))("A stranger at the sign-in of a provider's users", (it) => {
  it.effect("has the provider asked once about a sign-in, however many answers are made up", () =>
    Effect.gen(function*() {
      const platform = yield* Platform
      const { authenticate, begin, jar, send } = yield* browser
      const answer = yield* authenticate(yield* begin())
      const kept = new Map(jar)
      platform.asked.length = 0
      for (let n = 0; n < 10; n++) {
        for (const [name, value] of kept) jar.set(name, value)
        assert.strictEqual((yield* send(made(answer, `guess-${n}`))).status, 400)
      }
      assert.strictEqual(platform.asked.filter((path) => path === "/token").length, 1)
      // Nor does the right answer count any more.
      for (const [name, value] of kept) jar.set(name, value)
      assert.strictEqual((yield* send(answer)).status, 400)
    }))

  it.effect("is refused when the answers of the network are used up, and the sign-in is not lost by that", () =>
    Effect.gen(function*() {
      const platform = yield* Platform
      const sql = yield* SqlClient.SqlClient
      const { authenticate, begin, send } = yield* browser
      const answer = yield* authenticate(yield* begin())
      platform.asked.length = 0
      yield* useUp("budget", "answer", "address", "unknown")
      const refused = yield* send(answer)
      assert.strictEqual(refused.status, 429)
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
      assert.deepStrictEqual(platform.asked, [])
      yield* sql`DELETE FROM rate_limits`
      assert.strictEqual((yield* send(answer)).status, 303)
    }))

  it.effect("has a provider that is down asked once a second", () =>
    Effect.gen(function*() {
      const platform = yield* Platform
      const { begin, send } = yield* browser
      yield* TestClock.adjust("1 minute")
      platform.asked.length = 0
      platform.faults.set("/.well-known/openid-configuration", (_, response) => void response.writeHead(500).end())
      for (let n = 0; n < 10; n++) assert.strictEqual((yield* send("/sign-in")).status, 503)
      assert.lengthOf(platform.asked, 1)
      platform.faults.clear()
      yield* TestClock.adjust("1 second")
      yield* begin()
    }))

  it.effect("fills no log: a refusal is a line, and then one a minute", () =>
    Effect.gen(function*() {
      const log = yield* LogLines
      const { authenticate, begin, send } = yield* browser
      yield* TestClock.adjust("2 minutes")
      const before = log.all.length
      for (let n = 0; n < 20; n++) {
        const logout_token = `made-up-${n}`
        const path = "/sign-in/oidc/back-channel-logout"
        assert.strictEqual(
          (yield* send(path, { method: "POST", body: new URLSearchParams({ logout_token }) })).status,
          400
        )
      }
      for (let n = 0; n < 5; n++) yield* send(made(yield* authenticate(yield* begin()), "guess"))
      yield* TestClock.adjust("1 minute")
      const lines = log.all.slice(before).map(({ count, message }) => [message, count])
      assert.deepStrictEqual(lines, [
        ["Refused a logout token", 1],
        ["Refused a sign-in", 1],
        ["Refused a logout token", 19],
        ["Refused a sign-in", 4]
      ])
    }))
})

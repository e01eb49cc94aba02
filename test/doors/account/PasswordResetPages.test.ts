import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { PasswordResets } from "../../../src/core/accounts/local/PasswordResets.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { useUp } from "../../support/LimitedSubject.ts"
import { browser, Services } from "./Scenario.ts"

const newAccount = Effect.fnUntraced(function*(name: string) {
  return yield* (yield* Accounts).create({ email: `${name}@example.test`, name, password })
})

/** Path of the link that a mail holds. */
const linkFor = Effect.fnUntraced(function*(email: string) {
  const { url } = Option.getOrThrow(yield* (yield* PasswordResets).prepare(email, `job for ${email}`))
  const { pathname, search, searchParams } = new URL(Redacted.value(url))
  return { path: pathname + search, token: searchParams.get("token") ?? "" }
})

const another = "a quite different sentence"
const common = "aaaaaaaaaaaa"

layer(Services)("A forgotten password", (it) => {
  it.effect("has a link on the sign-in page, and an answer that is the same whether or not there is an account", () =>
    Effect.gen(function*() {
      const { email } = yield* newAccount("olaf")
      const { get, post } = yield* browser
      assert.include((yield* get("/sign-in")).text, "href=\"/forgotten-password\"")
      const known = yield* post("/forgotten-password", { email })
      const unknown = yield* post("/forgotten-password", { email: "nobody@example.test" })
      assert.strictEqual(known.status, 200)
      assert.strictEqual(known.text.replaceAll(email, "X"), unknown.text.replaceAll("nobody@example.test", "X"))
      assert.deepStrictEqual([...known.headers.keys()], [...unknown.headers.keys()])
      assert.strictEqual((yield* post("/forgotten-password", { email: "olaf" })).status, 400)
      const elsewhere = yield* post("/forgotten-password", { email }, { "sec-fetch-site": "cross-site" })
      assert.strictEqual(elsewhere.status, 403)
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`SELECT 1 FROM outbox WHERE queue = 'account-mails'`, 2)
    }))

  it.effect("says when a network has asked too often", () =>
    Effect.gen(function*() {
      const { post } = yield* browser
      const ask = (n: number) => post("/forgotten-password", { email: `n${n}@example.test` }, { "x-forwarded-for": "" })
      let last = yield* ask(0)
      for (let n = 1; n < 25 && last.status === 200; n++) last = yield* ask(n)
      assert.strictEqual(last.status, 429)
      assert.include(last.text, "Your network has asked for too many links")
      assert.match(last.headers.get("retry-after") ?? "", /^\d+$/)
    }))

  it.effect("is replaced behind the link, however often programs look at it, and leads to the account", () =>
    Effect.gen(function*() {
      const { email, id } = yield* newAccount("pia")
      const keys = yield* ApiKeys
      yield* keys.create(id, "script", id)
      const { path, token } = yield* linkFor(email)
      const { get, post, send } = yield* browser
      for (const method of ["GET", "HEAD", "GET"]) assert.strictEqual((yield* send(path, { method })).status, 200)
      const form = yield* get(path)
      assert.include(form.text, email)
      assert.include(form.text, "Revoke my API keys (1), too")
      const fields = { token, password: another, repeated: another, keys: "on", apps: "on" }

      const wrong = yield* post("/reset-password", { ...fields, password: "short" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "The new password must have 12 to 256 characters")
      assert.include(wrong.text, "The new password again does not match the one above.")
      assert.notInclude(wrong.text, "short")
      const guessable = yield* post("/reset-password", { ...fields, password: common, repeated: common })
      assert.strictEqual(guessable.status, 400)
      assert.include(guessable.text, "The new password is easy to guess")
      assert.notInclude(guessable.text, common)
      const elsewhere = yield* post("/reset-password", fields, { "sec-fetch-site": "cross-site" })
      assert.strictEqual(elsewhere.status, 403)

      const done = yield* post("/reset-password", fields)
      assert.deepStrictEqual([done.status, done.headers.get("location")], [303, "/account"])
      assert.include(
        (yield* get("/account")).text,
        "signed out everywhere else. Your API keys are revoked. Your connected apps have lost their access."
      )
      assert.isEmpty(yield* keys.list(id))
      for (const answer of [yield* get(path), yield* post("/reset-password", fields)]) {
        assert.strictEqual(answer.status, 410)
        assert.include(answer.text, "href=\"/forgotten-password\"")
      }
      const fresh = yield* browser
      assert.strictEqual((yield* fresh.post("/sign-in", { email, password: another })).status, 303)
    }))

  it.effect("examines no new password that was not typed twice, or beyond the sign-ins of the account", () =>
    Effect.gen(function*() {
      const { email, id } = yield* newAccount("rosa")
      const { token } = yield* linkFor(email)
      const { post } = yield* browser
      const once = yield* post("/reset-password", { token, password: common, repeated: another })
      assert.strictEqual(once.status, 400)
      assert.notInclude(once.text, "easy to guess")
      yield* useUp("budget", "sign-in", "account", id)
      const beyond = yield* post("/reset-password", { token, password: common, repeated: common })
      assert.strictEqual(beyond.status, 429)
    }))

  it.effect("has no link that was not mailed", () =>
    Effect.gen(function*() {
      const { get } = yield* browser
      for (const query of ["", "?token=", "?token=slk_link_guess", "?token=slk_setup_guess"]) {
        assert.strictEqual((yield* get(`/reset-password${query}`)).status, 410)
      }
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { Invitations } from "../../../src/core/accounts/local/Invitations.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { useUp } from "../../support/LimitedSubject.ts"
import { browser, Services } from "./Scenario.ts"

/** Path of the link that the mail of a new invitation holds. */
const invited = Effect.fnUntraced(function*(email: string) {
  const administrator = yield* (yield* Accounts).create({
    email: `inviter-of-${email}`,
    name: "Root",
    role: "admin",
    password
  })
  const invitations = yield* Invitations
  const { id } = yield* invitations.invite({ email, role: "reviewer" }, administrator.id)
  const { url } = Option.getOrThrow(yield* invitations.prepare(id))
  const { pathname, search, searchParams } = new URL(Redacted.value(url))
  return { path: pathname + search, token: searchParams.get("token") ?? "" }
})

const chosen = "a quite long sentence"
const common = "aaaaaaaaaaaa"

layer(Services)("/invitation", (it) => {
  it.effect("makes the account of who was invited, however often programs look at the link, and signs in", () =>
    Effect.gen(function*() {
      const { path, token } = yield* invited("nina@example.test")
      const { get, post, send } = yield* browser
      for (const method of ["GET", "HEAD", "GET"]) assert.strictEqual((yield* send(path, { method })).status, 200)
      assert.include((yield* get(path)).text, "You are invited as <strong>nina@example.test</strong>, reviewer.")
      const fields = { token, name: "Nina <New>", password: chosen, repeated: chosen }
      const elsewhere = yield* post("/invitation", fields, { "sec-fetch-site": "cross-site" })
      assert.strictEqual(elsewhere.status, 403)

      const done = yield* post("/invitation", fields)
      assert.deepStrictEqual([done.status, done.headers.get("location")], [303, "/account"])
      const account = (yield* get("/account")).text
      assert.include(account, "Welcome! Your account has been created.")
      assert.include(account, "Nina &lt;New&gt;")
      for (const answer of [yield* get(path), yield* post("/invitation", fields)]) {
        assert.strictEqual(answer.status, 410)
        assert.include(answer.text, "ask the person who invited you for another invitation")
      }
    }))

  it.effect("tells all faults at once, keeps the name, repeats no password and makes nothing", () =>
    Effect.gen(function*() {
      const { token } = yield* invited("nora@example.test")
      const { post } = yield* browser
      const wrong = yield* post("/invitation", { token, name: "Nora", password: "short", repeated: "other" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "Password must have 12 to 256 characters")
      assert.include(wrong.text, "The same password again does not match the one above.")
      assert.include(wrong.text, "value=\"Nora\"")
      assert.notInclude(wrong.text, "short")
      const guessable = yield* post("/invitation", { token, name: "Nora", password: common, repeated: common })
      assert.strictEqual(guessable.status, 400)
      assert.include(guessable.text, "Password is easy to guess")
      assert.include(guessable.text, "value=\"Nora\"")
      assert.notInclude(guessable.text, common)
      assert.isTrue(Option.isNone(yield* (yield* Accounts).findByEmail("nora@example.test")))
    }))

  it.effect("examines no password beyond the sign-ins of the network", () =>
    Effect.gen(function*() {
      const { token } = yield* invited("nell@example.test")
      const { post } = yield* browser
      yield* useUp("budget", "sign-in", "address", "unknown")
      const beyond = yield* post("/invitation", { token, name: "Nell", password: common, repeated: common })
      assert.strictEqual(beyond.status, 429)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { EmailChanges, perAccount } from "../../../src/core/accounts/local/EmailChanges.ts"
import { Invitations } from "../../../src/core/accounts/local/Invitations.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { browser, Services } from "./Scenario.ts"

const linkPath = (url: Redacted.Redacted) => {
  const { pathname, search, searchParams } = new URL(Redacted.value(url))
  return { path: pathname + search, page: pathname, token: searchParams.get("token") ?? "" }
}

/** Link in the last mail to a new address. */
const changeLink = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [job] = yield* sql<{ link: string }>`SELECT payload ->> 'linkId' AS link FROM outbox
    WHERE payload ->> 'mail' = 'email-change' ORDER BY id DESC LIMIT 1`
  return linkPath(Option.getOrThrow(yield* (yield* EmailChanges).prepare(job?.link ?? "")).url)
})

layer(Services)("Pages of local accounts", (it) => {
  it.effect("change the address: all mistakes at once, a mail, and a button behind its link", () =>
    Effect.gen(function*() {
      const { email } = yield* (yield* Accounts).create({ email: "kim@example.test", name: "Kim", password })
      const kim = yield* browser
      yield* kim.post("/sign-in", { email, password: Redacted.value(password) })
      assert.include((yield* kim.get("/account")).text, "href=\"/account/email\"")
      const csrf = yield* kim.csrf("/account/email")
      const wrong = yield* kim.post("/account/email", { csrf, email: "kim", current: "not it" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "The new address must look like ann@example.com.")
      assert.include(wrong.text, "Your current password is wrong.")
      const fields = { csrf, email: "kim@new.test", current: Redacted.value(password) }
      assert.strictEqual((yield* kim.post("/account/email", { ...fields, csrf: "other" })).status, 403)
      assert.strictEqual((yield* kim.post("/account/email", fields)).headers.get("location"), "/account/email")
      const page = (yield* kim.get("/account/email")).text
      assert.include(page, "An email with a link is on its way")
      assert.include(page, "kim@new.test</strong> is not confirmed yet")

      const change = yield* changeLink
      const stranger = yield* browser
      for (let look = 0; look < 2; look++) assert.strictEqual((yield* stranger.get(change.path)).status, 200)
      const forged = yield* stranger.post(change.page, { token: change.token }, { "sec-fetch-site": "cross-site" })
      assert.strictEqual(forged.status, 403)
      assert.include((yield* stranger.post(change.page, { token: change.token })).text, "Your new address is confirmed")
      assert.strictEqual((yield* stranger.get(change.path)).status, 410)
      // The change ends all sessions: the thief of one may be the reason for it.
      assert.strictEqual((yield* kim.get("/account")).status, 303)
      yield* kim.post("/sign-in", { email: "kim@new.test", password: Redacted.value(password) })
      assert.include((yield* kim.get("/account")).text, "kim@new.test")
      assert.strictEqual((yield* stranger.get("/keep-address?token=x")).status, 404)
    }))

  it.effect("tell who asks too often how long to wait, and nothing of other people", () =>
    Effect.gen(function*() {
      const { email } = yield* (yield* Accounts).create({ email: "ann@example.test", name: "Ann", password })
      const ann = yield* browser
      yield* ann.post("/sign-in", { email, password: Redacted.value(password) })
      const csrf = yield* ann.csrf("/account/email")
      const change = (n: number) =>
        ann.post("/account/email", { csrf, email: `ann${n}@new.test`, current: Redacted.value(password) })
      for (let n = 0; n < perAccount; n++) assert.strictEqual((yield* change(n)).status, 303)
      const refused = yield* change(perAccount)
      assert.strictEqual(refused.status, 429)
      assert.include(refused.text, "You have asked to change your address too many times in a short time.")
      assert.match(refused.text, /Wait (a minute|\d+ minutes), then try again/)
      assert.include(refused.text, "href=\"/account/email\"")
    }))

  it.effect("withdraw a change that waits", () =>
    Effect.gen(function*() {
      const { email } = yield* (yield* Accounts).create({ email: "lee@example.test", name: "Lee", password })
      const lee = yield* browser
      yield* lee.post("/sign-in", { email, password: Redacted.value(password) })
      const csrf = yield* lee.csrf("/account/email")
      yield* lee.post("/account/email", { csrf, email: "lee@new.test", current: Redacted.value(password) })
      const { path } = yield* changeLink
      yield* lee.post("/account/email/withdraw", { csrf })
      assert.notInclude((yield* lee.get("/account/email")).text, "is not confirmed yet")
      assert.strictEqual((yield* lee.get(path)).status, 410)
    }))

  it.effect("make the account of an invited person, who is signed in then", () =>
    Effect.gen(function*() {
      const invitations = yield* Invitations
      const { id } = yield* invitations.invite({ email: "mia@example.test", role: "reviewer" }, "cli")
      const { page, path, token } = linkPath(Option.getOrThrow(yield* invitations.prepare(id)).url)
      const mia = yield* browser
      for (let look = 0; look < 2; look++) assert.include((yield* mia.get(path)).text, "mia@example.test")
      const fields = {
        token,
        name: "Mia",
        password: "a quite different sentence",
        repeated: "a quite different sentence"
      }
      const wrong = yield* mia.post(page, { token, name: "", password: "short", repeated: "" })
      assert.strictEqual(wrong.status, 400)
      for (
        const fault of [
          "Your name must have",
          "Password must have 12 to 256 characters",
          "The same password again does not match the one above."
        ]
      ) {
        assert.include(wrong.text, fault)
      }
      assert.strictEqual((yield* mia.post(page, fields, { "sec-fetch-site": "cross-site" })).status, 403)
      assert.strictEqual((yield* mia.post(page, fields)).headers.get("location"), "/account")
      assert.include((yield* mia.get("/account")).text, "Welcome! Your account has been created.")
      assert.include((yield* mia.get("/account")).text, "mia@example.test</strong>, reviewer")
      assert.strictEqual((yield* mia.get(path)).status, 410)
      assert.strictEqual((yield* mia.post(page, fields)).status, 410)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { Invitations } from "../../src/core/accounts/local/Invitations.ts"
import { CallerAddress } from "../../src/core/limits/CallerAddress.ts"
import { CallerBrowser } from "../../src/core/limits/CallerBrowser.ts"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { TestServer } from "../../src/testing.ts"
import { pseudoLanguage } from "../support/PseudoLanguage.ts"

const Server = TestServer.layer().pipe(
  Layer.provide(Layer.succeed(Languages, [english, pseudoLanguage("en-XA"), pseudoLanguage("ar-XB")]))
)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"

layer(Server, { timeout: "1 minute" })("A mail", (it) => {
  const scene = Effect.gen(function*() {
    const kit = yield* TestServer
    yield* kit.reset
    const sql = yield* SqlClient.SqlClient
    const user = yield* kit.user({ name: "Umýt" })
    yield* sql`UPDATE accounts SET locale = 'ar-XB', time_zone = 'Asia/Tokyo', time_format = 24 WHERE id = ${user.id}`
    const last = Effect.map(kit.mails, (mails) => mails.at(-1))
    return { kit, last, user }
  })

  it.effect("is in the language and the time zone of its recipient, whatever the browser of the request wants", () =>
    Effect.gen(function*() {
      const { kit, user } = yield* scene
      yield* kit.tokens({ user })
      const mail = (yield* kit.mails).find(({ to }) => to.address === user.email)
      assert.match(mail?.html ?? "", /<html lang="ar-XB" dir="rtl">/)
      assert.match(mail?.subject ?? "", /^\u27e6.*\u27e7$/)
      assert.match(mail?.text ?? "", /\+9/)
    }))

  it.effect("to an address without an account is in the language of who invites, else in English", () =>
    Effect.gen(function*() {
      const { last } = yield* scene
      const kit = yield* TestServer
      const sql = yield* SqlClient.SqlClient
      const admin = yield* kit.user({ role: "admin" })
      const invitations = yield* Invitations
      const invited = (email: string) => Effect.andThen(invitations.invite({ email, role: "user" }, admin.id), last)
      const first = yield* invited("new@example.test")
      assert.match(first?.html ?? "", /<html lang="en" dir="ltr">/)
      assert.match(first?.subject ?? "", /^You are invited to /)
      yield* sql`UPDATE accounts SET locale = 'en-XA' WHERE id = ${admin.id}`
      assert.match((yield* invited("newer@example.test"))?.html ?? "", /<html lang="en-XA" dir="ltr">/)
    }))

  it.effect("to the new address of an account is in its language, or in that of the account that has it already", () =>
    Effect.gen(function*() {
      const { kit, user } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const other = yield* kit.user()
      yield* sql`UPDATE accounts SET locale = 'en-XA' WHERE id = ${other.id}`
      const { cookie, csrf } = yield* kit.session(user)
      const asked = Effect.fnUntraced(function*(email: string) {
        const headers = { cookie, "sec-fetch-site": "same-origin" }
        const body = new URLSearchParams({ csrf, email, current: user.password })
        yield* kit.fetch("/account/email", { method: "POST", headers, body })
        return (yield* kit.mails).find(({ to }) => to.address === email)?.html ?? ""
      })
      assert.match(yield* asked("mine@example.test"), /<html lang="ar-XB" dir="rtl">/)
      assert.match(yield* asked(other.email), /<html lang="en-XA" dir="ltr">/)
    }))

  it.effect("names the browser of a form", () =>
    Effect.gen(function*() {
      const { kit, last, user } = yield* scene
      const { cookie, csrf } = yield* kit.session(user)
      const headers = { cookie, "user-agent": browser, "sec-fetch-site": "same-origin" }
      const body = new URLSearchParams({ csrf, name: "deploy", ends: "30" })
      yield* kit.fetch("/account/api-keys", { method: "POST", headers, body })
      assert.include((yield* last)?.text, "Firefox 130")
    }))

  it.effect("says where its recipient's account did something, and of nobody else", () =>
    Effect.gen(function*() {
      const { kit, last, user } = yield* scene
      const accounts = yield* Accounts
      const admin = yield* kit.user({ name: "Ådå", role: "admin" })
      const password = Redacted.make("rain on the roof at noon")
      const change = (by: string) =>
        accounts.setPassword(user.id, password, by).pipe(
          Effect.provideService(CallerAddress, "192.0.2.7"),
          Effect.provideService(CallerBrowser, browser),
          Effect.andThen(last)
        )
      const own = yield* change(user.id)
      assert.match(own?.text ?? "", /Firefox 130.*\n.*192\.0\.2\.7/)
      const others = yield* change(admin.id)
      assert.notMatch(others?.text ?? "", /Firefox|192\.0\.2\.7/)
      assert.include(others?.text, "Ådå")
    }))
})

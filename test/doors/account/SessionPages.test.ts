import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { browser, Services } from "./Scenario.ts"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
const curl = "curl/8.5.0"

layer(Services)("The sessions on /account", (it) => {
  it.effect("are listed with this one marked, and ended one by one or all others together", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      yield* accounts.create({ email: "sal@example.test", name: "Sal", password })
      yield* accounts.create({ email: "tom@example.test", name: "Tom", password })
      const signedIn = Effect.fnUntraced(function*(name: string, userAgent: string) {
        const window = yield* browser
        const fields = { email: `${name}@example.test`, password: Redacted.value(password) }
        yield* window.post("/sign-in", fields, { "user-agent": userAgent })
        return { ...window, isOpen: Effect.map(window.get("/account"), ({ status }) => status === 200) }
      })
      const [here, first, second] = [
        yield* signedIn("sal", firefox),
        yield* signedIn("sal", curl),
        yield* signedIn("sal", curl)
      ]
      const stranger = yield* signedIn("tom", firefox)
      const csrf = yield* here.csrf("/account")
      const { text } = yield* here.get("/account")
      assert.match(text, /Firefox 130 on Linux <strong>\(this one\)<\/strong>/)
      assert.lengthOf(text.match(/<td class="device">curl 8<\/td>/g) ?? [], 2)
      assert.lengthOf(text.match(/\(this one\)/g) ?? [], 1)
      const ids = [...text.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(([, id = ""]) => id)
      assert.lengthOf(ids, 2)
      const [id = ""] = ids

      const foreign = { csrf: yield* stranger.csrf("/account"), id }
      assert.strictEqual((yield* stranger.post("/account/sessions/end", foreign)).status, 303)
      assert.include((yield* stranger.get("/account")).text, "That browser was signed out before.")
      assert.strictEqual((yield* here.post("/account/sessions/end", { csrf: "wrong", id })).status, 403)
      assert.deepStrictEqual(yield* Effect.all([first.isOpen, second.isOpen]), [true, true])

      yield* here.post("/account/sessions/end", { csrf, id })
      assert.include((yield* here.get("/account")).text, "That browser is signed out.")
      assert.lengthOf((yield* Effect.all([first.isOpen, second.isOpen])).filter((isOpen) => isOpen), 1)

      yield* here.post("/account/sessions/end-others", { csrf })
      assert.deepStrictEqual(
        yield* Effect.all([here.isOpen, first.isOpen, second.isOpen, stranger.isOpen]),
        [true, false, false, true]
      )
    }))
})

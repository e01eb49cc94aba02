import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { SetupLinks } from "../../src/core/accounts/local/SetupLinks.ts"
import { form, layer as server, serverClient } from "../support/TestServer.ts"

const production = {
  DATABASE_URL: "postgres://localhost/slotkey",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64url")
}

const token = Effect.gen(function*() {
  const link = Option.getOrThrow(yield* (yield* SetupLinks).mint)
  return new URL(Redacted.value(link)).searchParams.get("token") ?? ""
})

const fields = { name: "Root", email: "root@example.com", password: "a long password", repeated: "a long password" }

/** Labels and notes of the fields that a form marks as wrong. */
const faults = (text: string) => Array.from(text.matchAll(/class="error">([^<]*)</g), ([, note = ""]) => note)

describe("a server without an administrator", () => {
  for (const [where, env] of [["embedded", {}], ["in production", production]] as const) {
    layer(server(env))(where, (it) => {
      it.effect("says on the front page and at the sign-in how to begin, until there is one", () =>
        Effect.gen(function*() {
          const { ask } = yield* serverClient
          yield* token
          const texts = yield* Effect.forEach(["/", "/sign-in", "/setup?token=slk_setup_old"], (path) => ask(path))
          assert.deepStrictEqual(texts.map(({ status }) => status), [200, 200, 410])
          for (const { text } of texts) {
            assert.include(text, "no administrator yet")
            assert.include(text, "slotkey setup-link")
            assert.strictEqual(text.includes("in the output of the server"), where === "embedded")
            assert.notInclude(text, "slk_setup_")
          }
          yield* (yield* Accounts).create({ ...fields, password: Redacted.make(fields.password), role: "admin" })
          for (const path of ["/", "/sign-in", "/setup?token=slk_setup_old"]) {
            const { text } = yield* ask(path)
            assert.notInclude(text, "no administrator yet")
            assert.notInclude(text, "setup-link")
          }
        }))
    })
  }

  layer(server())("at the set-up", (it) => {
    it.effect("shows all mistakes at once, and changes nothing", () =>
      Effect.gen(function*() {
        const { ask, post } = yield* serverClient
        const link = yield* token
        const answer = yield* post(
          "/setup",
          { token: link, name: "", email: "root", password: "short", repeated: "" },
          {
            "sec-fetch-site": "same-origin"
          }
        )
        assert.strictEqual(answer.status, 400)
        assert.deepStrictEqual(faults(answer.text), [
          "Your name must have 1 to 100 characters.",
          "Email address must look like ann@example.com.",
          "Password must have 12 to 256 characters.",
          "The same password again does not match the one above."
        ])
        // A browser that examined the form itself would point at the first fault alone.
        assert.include((yield* ask(`/setup?token=${link}`)).text, "action=\"/setup\" novalidate")
      }))

    it.effect("leads on to what next: for administrators with review and accounts, for others without", () =>
      Effect.gen(function*() {
        const { ask } = yield* serverClient
        const link = yield* token
        const done = yield* ask("/setup", {
          method: "POST",
          headers: { "sec-fetch-site": "same-origin" },
          body: form({ token: link, ...fields })
        })
        assert.deepStrictEqual([done.status, done.headers.get("location")], [303, "/what-next"])
        const cookie = (done.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const { text } = yield* ask("/what-next", { headers: { cookie } })
        for (const href of ["/playground", "/settings/apps/new", "/review", "/users/invitations", "/docs"]) {
          assert.include(text, `href="${href}"`)
        }
        assert.include(text, "accounts create")
        assert.include(text, "DATABASE_URL")
        assert.include((yield* ask("/", { headers: { cookie } })).text, "href=\"/what-next\"")
        // The browser's way back is the form whose link is spent.
        const back = yield* ask(`/setup?token=${link}`, { headers: { cookie } })
        assert.strictEqual(back.status, 410)
        assert.include(back.text, "This server is set up")
        assert.include(back.text, "href=\"/what-next\"")
        assert.include(back.text, "action=\"/sign-out\"")

        const accounts = yield* Accounts
        const dev = { email: "dora@example.com", name: "Dora", password: Redacted.make(fields.password) }
        yield* accounts.create(dev)
        const signedIn = yield* ask("/sign-in", {
          method: "POST",
          headers: { "sec-fetch-site": "same-origin" },
          body: form({ email: dev.email, password: fields.password })
        })
        const other = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const page = (yield* ask("/what-next", { headers: { cookie: other } })).text
        assert.include(page, "href=\"/settings/apps/new\"")
        assert.notInclude(page, "href=\"/review\"")
        assert.notInclude(page, "href=\"/users/invitations\"")
        assert.notInclude(page, "accounts create")
        assert.strictEqual((yield* ask("/what-next")).headers.get("location"), "/sign-in?return_to=%2Fwhat-next")
      }))
  })
})

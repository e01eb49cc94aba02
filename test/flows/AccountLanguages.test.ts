import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SetupLinks } from "../../src/core/accounts/local/SetupLinks.ts"
import { english, Languages } from "../../src/foundation/messages/Languages.ts"
import { TestServer } from "../../src/testing.ts"
import { browser, Services } from "../doors/account/Scenario.ts"
import { pseudoLanguage } from "../support/PseudoLanguage.ts"
import { strayTexts } from "../support/StrayTexts.ts"

const accented = pseudoLanguage("en-XA")
const Pseudo = Layer.succeed(Languages, [english, accented])

interface Page {
  readonly headers: Headers
  readonly text: string
}

/** Fails unless each of these pages is in the pseudo-language, with no other text. */
const assertMoved = (pages: Readonly<Record<string, Page>>) =>
  assert.deepStrictEqual(
    Object.entries(pages).map(([name, { headers, text }]) => [
      name,
      headers.get("content-language"),
      ...strayTexts(text)
    ]),
    Object.keys(pages).map((name) => [name, accented.tag])
  )

/** A server with a user of this role, who reads the pseudo-language. */
const scene = Effect.gen(function*() {
  const kit = yield* TestServer
  yield* kit.reset
  const user = yield* kit.user({ name: "Ümýt Ñø", role: "admin" })
  const { cookie, csrf } = yield* kit.session(user)
  const ask = (path: string, { headers, ...init }: RequestInit = {}) =>
    Effect.flatMap(
      kit.fetch(path, {
        redirect: "manual",
        ...init,
        headers: { "accept-language": accented.tag, "sec-fetch-site": "same-origin", ...Object(headers) }
      }),
      (response) =>
        Effect.map(Effect.promise(() => response.text()), (text) => ({
          headers: response.headers,
          status: response.status,
          text
        }))
    )
  const get = (path: string) => ask(path, { headers: { cookie } })
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    ask(path, { method: "POST", headers: { cookie }, body: new URLSearchParams({ csrf, ...fields }) })
  /** Sends a form of a stranger, who has a mailed link. */
  const send = (path: string, fields: Readonly<Record<string, string>>, site = "same-origin") =>
    ask(path, { method: "POST", headers: { "sec-fetch-site": site }, body: new URLSearchParams(fields) })
  /** Page after a form that was accepted. */
  const after = Effect.fnUntraced(function*(path: string, fields: Readonly<Record<string, string>>) {
    const { headers, status, text } = yield* post(path, fields)
    assert.strictEqual(status, 303, text)
    return yield* get(headers.get("location") ?? "")
  })
  /** Token of the last mailed link to this page. */
  const token = Effect.fnUntraced(function*(path: string) {
    yield* kit.runJobs
    const texts = (yield* kit.mails).map(({ text }) => text).join("\n")
    return [...texts.matchAll(new RegExp(`${path}\\?token=(\\S+)`, "g"))].at(-1)?.[1] ?? ""
  })
  return { after, ask, get, kit, post, send, token, user }
})

const [short, common, good] = ["short", "aaaaaaaaaaaa", "a quite different sentence"]

layer(TestServer.layer().pipe(Layer.provide(Pseudo)), { timeout: "2 minutes" })("A page", (it) => {
  it.effect("of an account has no text that is no message", () =>
    Effect.gen(function*() {
      const { after, get, kit, post, user } = yield* scene
      const { username } = yield* kit.user()
      const profile = { name: "Ñ", username: "n", timeFormat: "24", weekStart: "Monday", timeZone: "UTC" }
      const changed = { current: user.password, password: good, repeated: good }
      const pages = {
        account: yield* get("/account"),
        profile: yield* post("/account/profile", {
          ...profile,
          name: "",
          username: "!",
          timeZone: "Ø",
          bio: "a\u0007"
        }),
        "long profile": yield* post("/account/profile", { ...profile, name: "ñ\u200bñ", bio: "ñ".repeat(1001) }),
        "taken profile": yield* post("/account/profile", { ...profile, username }),
        saved: yield* after("/account/profile", profile),
        password: yield* post("/account/password", { current: "wrong", password: short, repeated: "" }),
        common: yield* post("/account/password", { ...changed, password: common, repeated: common }),
        key: yield* post("/account/api-keys", { name: "", ends: "date", date: "" }),
        "late key": yield* post("/account/api-keys", { name: "k", ends: "date", date: "275760-09-13" }),
        "early key": yield* post("/account/api-keys", { name: "k", ends: "date", date: "1969-01-01" }),
        "new key": yield* post("/account/api-keys", { name: "Ķ" }),
        "no key": yield* get("/account/api-keys/revoke?id=none"),
        sessions: yield* after("/account/sessions/end", { id: "none" }),
        others: yield* after("/account/sessions/end-others", {}),
        email: yield* post("/account/email", { email: "nobody", current: "wrong" }),
        "own email": yield* post("/account/email", { email: user.email, current: user.password }),
        "new email": yield* after("/account/email", { email: "new@example.test", current: user.password }),
        "kept email": yield* after("/account/email/withdraw", {}),
        changed: yield* after("/account/password", { ...changed, apps: "on" })
      }
      assertMoved(pages)
      const [, id = ""] = /api-keys\/revoke\?id=([^"]+)"/.exec(pages.changed.text) ?? []
      assertMoved({
        revoke: yield* get(`/account/api-keys/revoke?id=${id}`),
        revoked: yield* after("/account/api-keys/revoke", { id })
      })
    }))

  it.effect("of somebody who closes an account has no text that is no message", () =>
    Effect.gen(function*() {
      const { get, kit, post, user } = yield* scene
      yield* kit.user({ role: "admin" })
      const [used] = [yield* kit.app({ owner: user, name: "Ŭ" }), yield* kit.app({ owner: user, name: "Ñ" })]
      yield* kit.tokens({ app: used, user })
      assertMoved({
        question: yield* get("/account/close"),
        wrong: yield* post("/account/close", { current: "wrong" }),
        used: yield* post("/account/close", { current: user.password }),
        closed: yield* post("/account/close", { current: user.password, apps: "on" })
      })
    }))

  it.effect("behind a mailed link has no text that is no message", () =>
    Effect.gen(function*() {
      const { ask, get, post, send, token, user } = yield* scene
      yield* post("/account/email", { email: "new@example.test", current: user.password })
      const change = yield* token("/confirm-address")
      yield* post("/users/invitations", { email: "ines@example.test", role: "reviewer" })
      const invited = yield* token("/invitation")
      const forgotten = yield* send("/forgotten-password", { email: user.email })
      const reset = yield* token("/reset-password")
      assertMoved({
        confirm: yield* ask(`/confirm-address?token=${change}`),
        elsewhere: yield* send("/confirm-address", { token: change }, "cross-site"),
        forgotten,
        form: yield* ask("/forgotten-password"),
        wrong: yield* send("/forgotten-password", { email: "nobody" }),
        "forgotten elsewhere": yield* send("/forgotten-password", { email: user.email }, "cross-site"),
        reset: yield* ask(`/reset-password?token=${reset}`),
        "short reset": yield* send("/reset-password", { token: reset, password: short, repeated: "" }),
        "common reset": yield* send("/reset-password", { token: reset, password: common, repeated: common }),
        "unusable reset": yield* ask("/reset-password?token=none"),
        invitation: yield* ask(`/invitation?token=${invited}`),
        "short invitation": yield* send("/invitation", { token: invited, name: "", password: short, repeated: "" }),
        "unusable invitation": yield* ask("/invitation?token=none"),
        invitations: yield* get("/users/invitations"),
        confirmed: yield* send("/confirm-address", { token: change }),
        "confirmed twice": yield* send("/confirm-address", { token: change })
      })
    }))

  it.effect("behind a link to an address that is another account's by now has no text that is no message", () =>
    Effect.gen(function*() {
      const { kit, post, send, token, user } = yield* scene
      const sql = yield* SqlClient.SqlClient
      yield* post("/account/email", { email: "new@example.test", current: user.password })
      const change = yield* token("/confirm-address")
      yield* sql`UPDATE accounts SET email = 'new@example.test' WHERE id = ${(yield* kit.user()).id}`
      const taken = yield* send("/confirm-address", { token: change })
      assert.strictEqual(taken.status, 409)
      assertMoved({ taken })
    }))

  it.effect("about users has no text that is no message", () =>
    Effect.gen(function*() {
      const { after, get, kit, post, user } = yield* scene
      const other = yield* kit.user({ name: "Öţĥéŕ" })
      const pages = {
        users: yield* get("/users"),
        none: yield* get("/users?search=nobody-like-this"),
        "no such user": yield* get("/users/none"),
        promotion: yield* get(`/users/${other.id}/role?role=reviewer`),
        "own role": yield* get(`/users/${user.id}/role?role=user`),
        disable: yield* get(`/users/${other.id}/disable`),
        "wrong invitation": yield* post("/users/invitations", { email: "nobody", role: "user" }),
        "taken invitation": yield* post("/users/invitations", { email: other.email, role: "user" }),
        invited: yield* after("/users/invitations", { email: "ines@example.test", role: "reviewer" })
      }
      assertMoved(pages)
      const withdraw = (text: string) => /[^"]*\/withdraw(?=")/.exec(text)?.[0] ?? ""
      const resent = yield* after(withdraw(pages.invited.text).replace("withdraw", "resend"), {})
      assertMoved({
        resent,
        withdrawn: yield* after(withdraw(resent.text), {}),
        gone: yield* post(withdraw(resent.text), {})
      })
    }))
})

layer(Services.pipe(Layer.provideMerge(Pseudo)))("The page that sets up a server", (it) => {
  it.effect("has no text that is no message", () =>
    Effect.gen(function*() {
      const link = new URL(Redacted.value(Option.getOrThrow(yield* (yield* SetupLinks).mint)))
      const token = link.searchParams.get("token") ?? ""
      const { post, send } = yield* browser
      const get = (path: string) => send(path, { headers: { "accept-language": accented.tag } })
      const sent = (fields: Readonly<Record<string, string>>, headers = {}) =>
        post("/setup", { token, ...fields }, { "accept-language": accented.tag, ...headers })
      const root = { name: "Řøøţ", email: "root@example.test", password: good, repeated: good }
      assertMoved({
        form: yield* get(`/setup?token=${token}`),
        wrong: yield* sent({ name: "", email: "nobody", password: short, repeated: "" }),
        common: yield* sent({ ...root, password: common, repeated: common }),
        elsewhere: yield* sent(root, { "sec-fetch-site": "cross-site" }),
        unusable: yield* get("/setup?token=none")
      })
      yield* sent(root)
      assertMoved({ "done before": yield* sent(root) })
    }))
})

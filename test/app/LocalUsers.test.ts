import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { assertType } from "vitest"
import { Routes } from "../../src/app/Routes.ts"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import type { LocalUsers } from "../../src/core/accounts/LocalUsers.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { PageSession } from "../../src/doors/session/PageSession.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { LocalAccounts } from "../../src/index.ts"
import * as Testing from "../../src/testing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** Answers to an administrator's browser. */
const administrator = Effect.gen(function*() {
  const account = yield* (yield* Accounts).create({
    email: "root@example.test",
    name: "Root",
    password: Redacted.make("correct horse battery staple"),
    role: "admin"
  })
  const token = Redacted.value(yield* (yield* Sessions).start(account.id))
  const headers = { cookie: `${cookieName(yield* AppConfig)}=${token}` }
  const serve = yield* Testing.server
  const get = Effect.fnUntraced(function*(path: string) {
    const response = yield* serve(new Request(`https://slotkey.test${path}`, { headers }))
    return { status: response.status, text: yield* Effect.promise(() => response.text()) }
  })
  return { get, id: account.id }
})

const own = (env: Readonly<Record<string, string>> = {}) =>
  Testing.layerWith(LocalAccounts, env).pipe(
    Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer))
  )

layer(own())("a program that embeds the server with local accounts", (it) => {
  it.effect("has every page about them, and the API", () =>
    Effect.gen(function*() {
      const { get, id } = yield* administrator
      assert.include((yield* get("/account")).text, `href="/users"`)
      const pages = [
        "/users",
        `/users/${id}`,
        "/users/invitations",
        "/account/email",
        "/account/close",
        "/forgotten-password"
      ]
      for (const path of pages) assert.strictEqual((yield* get(path)).status, 200, path)
      assert.include((yield* get("/v2/admin/users")).text, "root@example.test")
    }))
})

it("whether accounts are kept here is asked in the types of the routes, and of the sessions behind them", () => {
  type Asks<R> = LocalUsers extends R ? true : false
  assertType<Asks<Layer.Services<typeof Routes>>>(true)
  assertType<Asks<Layer.Services<typeof PageSession.layer>>>(true)
})

const withoutPasswords = {
  SIGN_IN: "handover",
  HANDOVER_URL: "https://platform.example/login",
  HANDOVER_KEY: Buffer.alloc(32, 1).toString("base64url")
}

layer(own(withoutPasswords))("one whose users have no passwords here", (it) => {
  it.effect("has the pages about accounts, and none of those about passwords", () =>
    Effect.gen(function*() {
      const { get, id } = yield* administrator
      // A session of a password counts no more, so they lead to the sign-in.
      for (const path of ["/users", `/users/${id}`]) assert.strictEqual((yield* get(path)).status, 303, path)
      const pages = [
        "/account/close",
        "/account/email",
        "/forgotten-password",
        "/invitation",
        "/reset-password",
        "/setup"
      ]
      for (const path of pages) assert.strictEqual((yield* get(path)).status, 404, path)
    }))
})

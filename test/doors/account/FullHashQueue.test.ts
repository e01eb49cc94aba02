import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { LocalIdentitySource } from "../../../src/core/accounts/local/LocalIdentitySource.ts"
import { Passwords } from "../../../src/core/accounts/local/Passwords.ts"
import { SetupLinks } from "../../../src/core/accounts/local/SetupLinks.ts"
import { SignIn } from "../../../src/core/accounts/people/SignIn.ts"
import { perAccount } from "../../../src/core/accounts/people/SignInThrottle.ts"
import { TemporarilyUnavailable } from "../../../src/domain/OAuthError.ts"
import { PasswordPages } from "../../../src/doors/account/PasswordPages.ts"
import { SetupPages } from "../../../src/doors/account/SetupPages.ts"
import { SignInPages } from "../../../src/doors/session/SignInPages.ts"
import { ErrorBoundary } from "../../../src/foundation/web/ErrorBoundary.ts"
import { password } from "../../core/accounts/Scenario.ts"
import { limitedSubject } from "../../support/LimitedSubject.ts"
import { type Answer, browse, browser, noRequestWaits, Services } from "./Scenario.ts"

const full = Effect.fail(new TemporarilyUnavailable({ error_description: "the server is busy" }))

const busyServices = Layer.mergeAll(SignIn.layer, SetupLinks.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, LocalIdentitySource)),
  Layer.provide(Layer.succeed(Passwords, { hash: () => full, verify: () => full })),
  Layer.fresh
)

/** A browser on pages whose queue of hashes is full. */
const busyBrowser = browse(
  Layer.mergeAll(PasswordPages, SetupPages, SignInPages, ErrorBoundary).pipe(
    Layer.provide(busyServices),
    Layer.provide([HttpServer.layerServices, noRequestWaits])
  )
)

const assertBusy = ({ headers, status, text }: Answer) => {
  assert.strictEqual(status, 503)
  assert.strictEqual(headers.get("retry-after"), "1")
  assert.include(text, "Too busy right now")
}

layer(Services)("While the queue of hashes is full", (it) => {
  it.effect("set-up is refused with 503, and the link still works", () =>
    Effect.gen(function*() {
      const link = new URL(Redacted.value(Option.getOrThrow(yield* (yield* SetupLinks).mint)))
      const token = link.searchParams.get("token") ?? ""
      const fields = { token, name: "Root", email: "root@example.test" }
      const passwords = { password: "a long password", repeated: "a long password" }
      assertBusy(yield* (yield* busyBrowser).post("/setup", { ...fields, ...passwords }))
      assert.strictEqual((yield* (yield* browser).post("/setup", { ...fields, ...passwords })).status, 303)
    }))

  it.effect("a sign-in and a change of password are refused with 503, and count as no guess", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = { email: "ann@example.test", password: Redacted.value(password) }
      yield* (yield* Accounts).create({ email: account.email, name: "Ann", password })
      const { csrf, post } = yield* browser
      const cookie = (yield* post("/sign-in", account)).headers.get("set-cookie")?.split(";")[0] ?? ""
      const busy = yield* busyBrowser
      for (let n = 0; n < perAccount + 1; n++) assertBusy(yield* busy.post("/sign-in", account))
      const change = { current: account.password, password: "a new long password", repeated: "a new long password" }
      const sent = { ...change, csrf: yield* csrf("/account") }
      assertBusy(yield* busy.post("/account/password", sent, { cookie }))
      const subjects = [
        yield* limitedSubject("account", account.email, "unknown"),
        yield* limitedSubject("address", "unknown")
      ]
      const counted = sql`SELECT 1 FROM rate_limits WHERE subject = ANY(${subjects}::text[]) AND count > 0`
      assert.deepStrictEqual(yield* counted, [])
      assert.strictEqual((yield* post("/sign-in", account)).status, 303)
    }))
})

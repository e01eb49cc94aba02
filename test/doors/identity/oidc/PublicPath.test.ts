import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { browser, Platform, serverWith } from "./Scenario.ts"

const authUrl = "https://slotkey.test/oauth"

layer(serverWith({ BASE_URL: authUrl }))("A server beneath a path, whose users sign in at a provider", (it) => {
  it.effect("sends the provider one redirect_uri, with the path, at both requests", () =>
    Effect.gen(function*() {
      const platform = yield* Platform
      platform.register(authUrl)
      const { authenticate, begin, jar, send } = yield* browser
      const authorization = yield* begin("/account")
      assert.strictEqual(authorization.searchParams.get("redirect_uri"), `${authUrl}/sign-in/oidc/callback`)
      // The provider compares the two, and refuses the code for another one.
      const answer = yield* send(yield* authenticate(authorization))
      assert.deepStrictEqual([answer.status, answer.location?.href], [303, `${authUrl}/account`])
      assert.isTrue(jar.has("__Secure-slotkey"))
      assert.include((yield* send(`${authUrl}/account`)).text, "Uma User")
    }))
})

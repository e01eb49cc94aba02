import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "node-html-parser"
import { atSystemTime, browser, Server } from "./Scenario.ts"

layer(Server)("A user of a provider before a dangerous act", (it) => {
  it.effect("is sent there again, and single sign-on alone is not enough", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { authenticate, send, signIn } = yield* browser
      yield* atSystemTime
      yield* signIn()
      // This provider says when the user signed in only where it is asked.
      const keys = sql<{ n: number }>`SELECT count(*)::int AS n FROM api_keys`
      const formOf = (text: string) =>
        parse(text).querySelectorAll("form").find((form) => form.getAttribute("action") === "/account/api-keys")
      const makeKey = Effect.gen(function*() {
        const form = formOf((yield* send("/account")).text)
        const body = new URLSearchParams()
        for (const input of form?.querySelectorAll("input") ?? []) {
          body.set(input.getAttribute("name") ?? "", input.getAttribute("value") ?? "")
        }
        body.set("name", "CI")
        body.set("ends", "30")
        return yield* send("/account/api-keys", {
          method: "POST",
          headers: { "sec-fetch-site": "same-origin" },
          body
        })
      })
      /** Follows the redirects of this server, which lead to the provider. */
      const toProvider = Effect.fnUntraced(function*(first: URL | undefined) {
        let location = first
        for (let steps = 0; steps < 5 && location?.host === "slotkey.test"; steps++) {
          location = (yield* send(location)).location
        }
        return location ?? new URL("about:blank")
      })
      const authorization = yield* toProvider((yield* makeKey).location)
      assert.deepStrictEqual(yield* keys, [{ n: 0 }])
      assert.deepStrictEqual(
        ["prompt", "max_age"].map((name) => authorization.searchParams.get(name)),
        ["login", "0"]
      )
      const stripped = new URL(authorization)
      stripped.searchParams.delete("prompt")
      stripped.searchParams.delete("max_age")
      yield* send(yield* authenticate(stripped))
      yield* makeKey
      assert.deepStrictEqual(yield* keys, [{ n: 0 }])

      yield* send(yield* authenticate(yield* toProvider((yield* makeKey).location)))
      assert.strictEqual((yield* makeKey).status, 200)
      assert.deepStrictEqual(yield* keys, [{ n: 1 }])
    }))
})

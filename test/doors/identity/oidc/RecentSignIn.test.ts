import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "node-html-parser"
import { LogLines } from "../../../support/LogLines.ts"
import { atSystemTime, browser, Platform, Server } from "./Scenario.ts"

/** A user who has signed in, and makes an API key. This provider says when a user signed in only where it is asked. */
const keyMaker = Effect.gen(function*() {
  const platform = yield* Platform
  const sql = yield* SqlClient.SqlClient
  const { authenticate, send, signIn } = yield* browser
  yield* atSystemTime
  platform.user = { ...platform.user, sub: crypto.randomUUID() }
  yield* signIn()
  const keys = Effect.map(
    sql<{ n: number }>`SELECT count(*)::int AS n FROM api_keys JOIN identities ON account_id = user_id
          WHERE subject = ${platform.user.sub}`,
    ([row]) => row?.n
  )
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
  return { authenticate, send, keys, formOf, makeKey, toProvider }
})

layer(Layer.provideMerge(Server, LogLines.layer))("A user of a provider before a dangerous act", (it) => {
  it.effect("is sent there again, and single sign-on alone is not enough", () =>
    Effect.gen(function*() {
      const { authenticate, keys, makeKey, send, toProvider } = yield* keyMaker
      const authorization = yield* toProvider((yield* makeKey).location)
      assert.strictEqual(yield* keys, 0)
      assert.deepStrictEqual(
        ["prompt", "max_age"].map((name) => authorization.searchParams.get(name)),
        ["login", "0"]
      )
      const stripped = new URL(authorization)
      stripped.searchParams.delete("prompt")
      stripped.searchParams.delete("max_age")
      yield* send(yield* authenticate(stripped))
      yield* makeKey
      assert.strictEqual(yield* keys, 0)

      yield* send(yield* authenticate(yield* toProvider((yield* makeKey).location)))
      assert.strictEqual((yield* makeKey).status, 200)
      assert.strictEqual(yield* keys, 1)
    }))

  it.effect("reads after one round why a provider that says no auth_time leads nowhere, as the log does", () =>
    Effect.gen(function*() {
      const { authenticate, formOf, keys, makeKey, send, toProvider } = yield* keyMaker
      const log = yield* LogLines
      /** Signs in again at a provider that does not hear what is asked; answers the last page. */
      const round = Effect.fnUntraced(function*(location: URL | undefined) {
        const authorization = yield* toProvider(location)
        assert.strictEqual(authorization.searchParams.get("max_age"), "0")
        authorization.searchParams.delete("max_age")
        authorization.searchParams.delete("prompt")
        let answer = yield* send(yield* authenticate(authorization))
        while (answer.location !== undefined) answer = yield* send(answer.location)
        return answer
      })
      const warnings = () =>
        log.all.filter(({ message }) => String(message).startsWith("A user has signed in again in vain"))
      for (const time of [1, 2]) {
        const told = yield* round((yield* makeKey).location)
        assert.deepStrictEqual([time, told.status], [time, 403])
        assert.include(told.text, "You have just signed in again")
        assert.strictEqual(yield* keys, 0)
        // The form is there still, for those who try once more.
        const href = /href="(\/continue\/[\w-]+)"/.exec(told.text)?.[1] ?? ""
        const back = yield* send((yield* send(href)).location ?? "")
        assert.strictEqual(formOf(back.text)?.querySelector("[name=name]")?.getAttribute("value"), "CI")
      }
      // Once a minute.
      assert.deepStrictEqual(warnings().map(({ auth_time, level }) => [auth_time, level]), [["none", "WARN"]])
    }))
})

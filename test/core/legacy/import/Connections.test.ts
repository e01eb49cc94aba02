import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { visitor } from "../Scenario.ts"
import { app, apply, jsonLines, token, unique } from "./Scenario.ts"

/** Facts on the user's card of an app. */
const factsOf = (text: string, name: string) => {
  const [, card = ""] = text.split(`<span class="app-name">${name}</span>`)
  const facts = card.slice(0, card.indexOf("</dl>")).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)
  return Object.fromEntries(Array.from(facts, ([, term = "", text = ""]) => [term, text.replaceAll(/<[^>]*>/g, "")]))
}

layer(server(), { timeout: 60_000 })("The connected apps of a user whose grants were imported", (it) => {
  it.effect("say what is known of the time before this server, and no time of the import", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const user = yield* newAccount("user")
      const { token: post } = yield* serverClient
      yield* TestClock.setTime(Date.parse("2026-03-10T09:00:00Z"))
      const issued = { issued_at: "2025-12-24T18:00:00Z" }
      const name = `Unknown ${unique()}`
      const dated = `Dated ${unique()}`
      const refresh = `refresh-${unique()}-token`
      const unknown = app(owner, { name, refresh_tokens: [token(refresh, user)] })
      const known = app(owner, {
        name: dated,
        refresh_tokens: [
          token(`refresh-${unique()}-token`, user, { issued_at: "2026-01-31T18:00:00Z" }),
          token(`refresh-${unique()}-token`, user, issued)
        ]
      })
      yield* apply(jsonLines(unknown, known))
      yield* TestClock.adjust("1 hour")
      const connections = Effect.gen(function*() {
        const browser = yield* visitor(user)
        return (yield* browser.get("/connections")).text
      })

      const before = yield* connections
      assert.include(before, "because you allowed it, here or on the previous server.")
      assert.notInclude(before, "10 Mar 2026")
      assert.deepStrictEqual(factsOf(before, name), {
        "Access since": "before the move to this server",
        "Last used": "not used here yet"
      })
      const { "Access since": since = "", ...facts } = factsOf(before, dated)
      assert.match(since, /^24 Dec 2025.*, on the previous server$/)
      assert.deepStrictEqual(facts, { "Last used": "not used here yet", "Devices or sign-ins": "2" })
      const ownerPage = Effect.gen(function*() {
        const browser = yield* visitor(owner)
        return (yield* browser.get(`/settings/apps/${encodeURIComponent(unknown.client_id)}`)).text
      })
      assert.match(yield* ownerPage, /<dt>Last authorized<\/dt><dd><small>before the move to this server<\/small>/)

      const answer = yield* post(
        { grant_type: "refresh_token", refresh_token: refresh },
        basic(unknown.client_id, "s3cr+t/%2B==old-server")
      )
      assert.strictEqual(answer.status, 200)
      const after = factsOf(yield* connections, name)
      assert.strictEqual(after["Access since"], "before the move to this server")
      assert.match(after["Last used"] ?? "", /^10 Mar 2026, 10:00.*, or up to 30 minutes later$/)
    }))

  it.effect("take issue dates from CSV, none from the future, and refuse what is none", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const user = yield* newAccount("user")
      yield* TestClock.setTime(Date.parse("2026-03-10T09:00:00Z"))
      const csv = (id: string, name: string, issued: string) =>
        [
          "client_id,owner,name,redirect_uris,client_secret,client_secret_algorithm,refresh_token," +
          "refresh_token_algorithm,refresh_token_user,refresh_token_issued_at",
          `${id},${owner},${name},https://old.example/callback,a-long-enough-secret,clear,${id}-refresh-token,clear,${user},${issued}`
        ].join("\n")
      const [past, future] = [`csv-${unique()}`, `csv-${unique()}`]
      yield* apply(csv(past, "Past", "2025-12-24T18:00:00Z"))
      yield* apply(csv(future, "Future", "2027-12-24T18:00:00Z"))
      const { text } = yield* (yield* visitor(user)).get("/connections")
      assert.match(factsOf(text, "Past")["Access since"] ?? "", /^24 Dec 2025/)
      assert.match(factsOf(text, "Future")["Access since"] ?? "", /^10 Mar 2026/)
      const refused = yield* Effect.flip(apply(csv(`csv-${unique()}`, "Wrong", "last year")))
      assert.match(JSON.stringify(refused.details), /refresh_tokens.0.issued_at/)
    }))
})

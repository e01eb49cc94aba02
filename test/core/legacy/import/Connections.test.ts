import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { connectionsPath } from "../../../../src/doors/consent/ConnectionsAddress.ts"
import { connectionPath } from "../../../../src/doors/parts/Paths.ts"
import { basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { visitor } from "../Scenario.ts"
import { app, apply, jsonLines, token, unique } from "./Scenario.ts"

/** What a user reads on the page of a connected app: its facts, and the number of its devices. */
const pageOf = Effect.fnUntraced(function*(user: UserId, clientId: string) {
  const { text } = yield* (yield* visitor(user)).get(connectionPath(clientId))
  const facts = text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)
  const devices = [...text.matchAll(/<th scope="row" class="device">/g)].length
  return new Map([
    ...Array.from(facts, ([, term = "", text = ""]) => [term, text.replaceAll(/<[^>]*>/g, "")] as const),
    ["Devices", String(devices)]
  ])
})

layer(server(), { timeout: 60_000 })("The connected apps of a user whose grants were imported", (it) => {
  it.effect("say what is known of the time before this server, and no time of the import", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const user = yield* newAccount("user")
      const { token: post } = yield* serverClient
      yield* TestClock.setTime(Date.parse("2026-03-10T09:00:00Z"))
      const issued = { issued_at: "2025-12-24T18:00:00Z" }
      const refresh = `refresh-${unique()}-token`
      const unknown = app(owner, { refresh_tokens: [token(refresh, user)] })
      const known = app(owner, {
        refresh_tokens: [
          token(`refresh-${unique()}-token`, user, { issued_at: "2026-01-31T18:00:00Z" }),
          token(`refresh-${unique()}-token`, user, issued)
        ]
      })
      yield* apply(jsonLines(unknown, known))
      yield* TestClock.adjust("1 hour")

      const list = (yield* (yield* visitor(user)).get(connectionsPath)).text
      assert.strictEqual(list.split("Access from before this server").length, 2)
      assert.notInclude(list, "10 Mar 2026")
      const before = yield* pageOf(user, unknown.client_id)
      assert.strictEqual(before.get("Access since"), "before the move to this server")
      assert.strictEqual(before.get("Last used"), "Not used here yet")
      const withDate = yield* pageOf(user, known.client_id)
      assert.match(withDate.get("Access since") ?? "", /^24 Dec 2025.*, on the previous server$/)
      assert.strictEqual(withDate.get("Last used"), "Not used here yet")
      assert.strictEqual(withDate.get("Devices"), "2")
      const ownerPage = Effect.gen(function*() {
        const browser = yield* visitor(owner)
        return (yield* browser.get(`/settings/apps/${encodeURIComponent(unknown.client_id)}`)).text
      })
      // Its users came along, and it has got no tokens here yet.
      assert.match(yield* ownerPage, /<dt>Users<\/dt><dd>1<\/dd>[^]*<dt>Last used<\/dt><dd><small>not used here yet</)

      const answer = yield* post(
        { grant_type: "refresh_token", refresh_token: refresh },
        basic(unknown.client_id, "s3cr+t/%2B==old-server")
      )
      assert.strictEqual(answer.status, 200)
      const after = yield* pageOf(user, unknown.client_id)
      assert.strictEqual(after.get("Access since"), "before the move to this server")
      assert.match(
        after.get("Last used") ?? "",
        /^10 Mar 2026, 10:00.* got tokens; not all its calls were seen$/
      )
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
      assert.match((yield* pageOf(user, past)).get("Access since") ?? "", /^24 Dec 2025/)
      assert.match((yield* pageOf(user, future)).get("Access since") ?? "", /^10 Mar 2026/)
      const refused = yield* Effect.flip(apply(csv(`csv-${unique()}`, "Wrong", "last year")))
      assert.match(JSON.stringify(refused.details), /refresh_tokens.0.issued_at/)
    }))
})

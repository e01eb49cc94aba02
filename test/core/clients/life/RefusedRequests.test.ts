import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type RefusedRequest, RefusedRequests } from "../../../../src/core/clients/life/RefusedRequests.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TestServer from "../../../support/TestServer.ts"

/** Refused requests of a client, as soon as they are as expected: they are written in the background. */
const noted = (clientId: ClientId, isEnough: (found: ReadonlyArray<RefusedRequest>) => boolean) =>
  Effect.gen(function*() {
    const refusedRequests = yield* RefusedRequests
    yield* eventually(Effect.map(refusedRequests.list(clientId), isEnough))
    return yield* refusedRequests.list(clientId)
  })

const ofToken = { isKnown: true, userId: undefined, endpoint: "token", error: "invalid_grant" } as const

const short = ({ endpoint, error, reason }: RefusedRequest) => `${endpoint}: ${error}: ${reason}`

layer(TestServer.layer(), { excludeTestServices: true })("the refused requests of an app", (it) => {
  it.effect("tell its owner why token requests were refused, more than the answer told", () =>
    Effect.gen(function*() {
      const { client, code, exchange, exchangeOf, token } = yield* TestServer.approvedApp()
      const text = yield* code()
      yield* exchange(text, { client_secret: "slk_secret_wrong" })
      yield* exchange(text, { client_secret: undefined })
      yield* exchange(text, { redirect_uri: "https://app.example/other" })
      yield* exchange(text, { code_verifier: "a".repeat(43) })
      yield* exchange(text, { code_verifier: undefined })
      yield* exchange(yield* code({ pkce: false }))
      yield* token({ ...exchangeOf(text), grant_type: "password" })
      yield* token({ ...exchangeOf(text), code: undefined })
      const answer = yield* exchange(text, { code: "slk_code_nonsense" })
      assert.notProperty(answer.json, "cause")
      yield* exchange(text)
      yield* exchange(text)
      const found = yield* noted(client.id, ({ length }) => length === 10)
      assert.sameMembers(found.map(short), [
        "token: invalid_client: client_secret is none of the app's secrets: mistyped, revoked, or another app's",
        "token: invalid_client: client_secret is missing",
        "token: invalid_grant: the redirect_uri differs",
        "token: invalid_grant: the code_verifier is wrong",
        "token: invalid_grant: the code_verifier is missing: the authorization request had a code_challenge",
        "token: invalid_grant: a code_verifier came, but the authorization request had no code_challenge",
        "token: unsupported_grant_type: the grant type is neither authorization_code nor refresh_token",
        "token: invalid_request: code is missing",
        "token: invalid_grant: the code is malformed",
        "token: invalid_grant: the code was exchanged a moment ago: does the callback run twice?"
      ])
      const kept = JSON.stringify(found)
      for (const secret of [text, "slk_code", "slk_secret"]) assert.notInclude(kept, secret)
    }))

  it.effect("tell why users did not come back to it", () =>
    Effect.gen(function*() {
      const { ask, client } = yield* TestServer.approvedApp()
      const authorize = (redirectUri: string) =>
        ask(`/auth/oauth2/authorize?client_id=${client.id}&redirect_uri=${encodeURIComponent(redirectUri)}`)
      yield* authorize("https://me:secret@elsewhere.example/callback?token=secret")
      assert.deepStrictEqual((yield* noted(client.id, ({ length }) => length === 1)).map(short), [
        "authorize: redirect-uri-unregistered: redirect_uri is not registered: https://…@elsewhere.example/callback?…"
      ])
    }))

  it.effect("are the last 50, equal ones as one, and none of an app that does not exist", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const refusedRequests = yield* RefusedRequests
      const { client } = yield* TestServer.approvedApp()
      const note = (clientId: string, reason: string) => refusedRequests.record({ ...ofToken, clientId, reason })
      for (let n = 0; n < 100; n++) yield* note(client.id, `reason ${n}`)
      for (let n = 0; n < 100; n++) yield* note(client.id, "again")
      yield* note("nobody", "reason")
      yield* note("no\0body", "reason")
      yield* note(client.id, `<script>${"x".repeat(1000)}`)
      const found = yield* noted(client.id, (found) => found.some(({ reason }) => reason.startsWith("<script>")))
      assert.lengthOf(found, 50)
      assert.strictEqual(found.find(({ reason }) => reason === "again")?.times, 100)
      assert.isBelow(Math.max(...found.map(({ reason }) => reason.length)), 301)
      for (let n = 0; n < 10; n++) yield* note(client.id, `later ${n}`)
      const later = yield* noted(client.id, ([last]) => last?.reason === "later 9")
      assert.lengthOf(later, 50)
      assert.strictEqual(later[0]?.reason, "later 9")
      const [count] = yield* sql<
        { n: number }
      >`SELECT count(*)::int AS n FROM refused_requests WHERE client_id = ${client.id}`
      assert.strictEqual(count?.n, 50)
      assert.isEmpty(yield* sql`SELECT 1 FROM refused_requests WHERE client_id = 'nobody'`)
    }))

  it.effect("are noted of an app that has its id from another server, as long as such an id may be", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const refusedRequests = yield* RefusedRequests
      const { client } = yield* TestServer.approvedApp()
      const id = ClientId.make(`urn:app:${"x".repeat(247)}`)
      yield* sql`INSERT INTO clients SELECT (jsonb_populate_record(c, ${
        JSON.stringify({ id })
      }::jsonb)).* FROM clients c
        WHERE id = ${client.id}`
      yield* refusedRequests.record({ ...ofToken, clientId: id, reason: "a reason" })
      assert.deepStrictEqual((yield* noted(id, ({ length }) => length > 0)).map(short), [
        "token: invalid_grant: a reason"
      ])
    }))
})

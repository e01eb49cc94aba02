// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Deletion } from "../../../../src/core/accounts/local/Deletion.ts"
import { LocalAccountServices } from "../../../../src/core/accounts/LocalAccountServices.ts"
import type { RefusedRequest } from "../../../../src/core/clients/life/RefusedRequest.ts"
import { RefusedRequests } from "../../../../src/core/clients/life/RefusedRequests.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { failureLimit } from "../../../../src/core/clients/secrets/SecretThrottle.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { CallerReference } from "../../../../src/core/limits/CallerReference.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TestServer from "../../../support/TestServer.ts"
import { newAccount } from "../Scenario.ts"

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

  it.effect("are the latest causes, equal ones as one, and none of an app that does not exist", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const refusedRequests = yield* RefusedRequests
      const { client } = yield* TestServer.approvedApp()
      const note = (clientId: string, reason: string) => refusedRequests.record({ ...ofToken, clientId, reason })
      for (let n = 0; n < 100; n++) yield* note(client.id, `reason ${n}`)
      for (let n = 0; n < 100; n++) yield* note(client.id, "again")
      yield* note("nobody", "reason of nobody")
      yield* note("no\0body", "reason of nobody")
      yield* note(client.id, `<script>${"x".repeat(1000)}`)
      const found = yield* noted(client.id, (found) => found.some(({ reason }) => reason.startsWith("<script>")))
      assert.lengthOf(found, 50)
      assert.strictEqual(found.find(({ reason }) => reason === "again")?.times, 100)
      assert.isBelow(Math.max(...found.map(({ reason }) => reason.length)), 301)
      for (let n = 0; n < 10; n++) yield* note(client.id, `later ${n}`)
      const later = yield* noted(client.id, ([last]) => last?.reason === "later 9")
      assert.lengthOf(later, 50)
      const strangers = yield* sql<{ clientId: string | null }>`
        SELECT client_id FROM refused_requests WHERE reason = 'reason of nobody'`
      assert.deepStrictEqual(strangers.map(({ clientId }) => clientId), [null, null])
    }))

  it.effect("are each found by its reference, with the user where a session, a code or a grant says who", () =>
    Effect.gen(function*() {
      const refusedRequests = yield* RefusedRequests
      const app = yield* TestServer.approvedApp()
      const other = yield* TestServer.approvedApp()
      const text = yield* app.code()
      const { refresh_token } = yield* app.tokens()
      const wider = yield* app.tokens({ scopes: ["PROFILE_READ"] })
      const answers = [
        { userId: null, answer: yield* app.exchange(text, { client_secret: "slk_secret_wrong" }) },
        { userId: app.user, answer: yield* app.exchange(text, { code_verifier: "a".repeat(43) }) },
        // Somebody else's code says nothing about this app.
        { userId: null, answer: yield* app.exchange(yield* other.code()) },
        { userId: null, answer: yield* app.token({ grant_type: "refresh_token", client_id: app.client.id }) },
        { userId: null, answer: yield* app.refresh(refresh_token, { refresh_token: "slk_refresh_nonsense" }) },
        { userId: app.user, answer: yield* app.refresh(wider["refresh_token"], { scope: "BOOKING_WRITE" }) }
      ]
      const referenceOf = ({ headers }: TestServer.Answer) => headers.get("x-request-id") ?? ""
      yield* eventually(
        Effect.map(
          Effect.forEach(answers, ({ answer }) => refusedRequests.find(referenceOf(answer))),
          (all) => all.every(({ length }) => length === 1)
        )
      )
      for (const { answer, userId } of answers) {
        assert.strictEqual(answer.status < 500 && answer.status >= 400, true)
        const [found] = yield* refusedRequests.find(referenceOf(answer))
        assert.deepInclude(found, { clientId: app.client.id, userId, error: String(answer.json["error"]) })
      }
      assert.isEmpty(yield* refusedRequests.find("no-such-reference"))
      assert.isEmpty(yield* refusedRequests.find("no\0reference"))
    }))

  it.effect("keep their bound in a flood, and what is kept of others: apps, endpoints, users who are known", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const refusedRequests = yield* RefusedRequests
      const { client, user } = yield* TestServer.approvedApp()
      const quiet = yield* TestServer.approvedApp()
      const record = (refused: Partial<Parameters<typeof refusedRequests.record>[0]>, reference: string) =>
        Effect.provideService(
          refusedRequests.record({ ...ofToken, clientId: client.id, reason: "a reason", ...refused }),
          CallerReference,
          reference
        )
      const others = {
        "of a user": { userId: user },
        "of the other endpoint": { endpoint: "authorize" },
        "of another app": { clientId: quiet.client.id },
        "of no app": { clientId: undefined, isKnown: false }
      } as const
      yield* Effect.forEach(Object.entries(others), ([reference, refused]) => record(refused, reference))
      const flood = (n: number) => record({ reason: `flood ${n % 1_000}` }, `flood ${n}`)
      const strangers = (n: number) => record({ clientId: `nobody ${n}`, isKnown: false }, `stranger ${n}`)
      for (let round = 0; round < 4; round++) {
        for (let n = 0; n < 2_500; n++) yield* Effect.andThen(flood(round * 2_500 + n), strangers(n))
        // Beside the flood, in the same second.
        for (const [reference, refused] of Object.entries(others)) yield* record(refused, `${reference} ${round}`)
        yield* eventually(
          Effect.map(refusedRequests.find(`flood ${round * 2_500 + 2_499}`), ({ length }) => length > 0)
        )
      }
      const rounds = ["", " 0", " 1", " 2", " 3"]
      const expected = Object.keys(others).flatMap((name) => name === "of no app" ? name : rounds.map((n) => name + n))
      const isFound = (reference: string) => Effect.map(refusedRequests.find(reference), ({ length }) => length === 1)
      yield* eventually(isFound("of another app 3"))
      assert.deepStrictEqual(yield* Effect.filter(expected, isFound), expected)
      const [kept] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM refused_requests
        WHERE client_id = ${client.id} AND endpoint = 'token' AND user_id IS NULL`
      assert.strictEqual(kept?.n, 100)
    }))

  it.effect("tell of a lock-out, which strangers with made-up ids cannot push out", () =>
    Effect.gen(function*() {
      const refusedRequests = yield* RefusedRequests
      const { ask } = yield* TestServer.serverClient
      const id = ClientId.make("old-and-guessable")
      const record = {
        client_id: id,
        owner: yield* newAccount("owner"),
        name: "Old Timer",
        redirect_uris: ["https://old.example/callback"],
        secrets: [{ secret: "hunter2", algorithm: "clear" }]
      }
      yield* (yield* LegacyImport).apply(Stream.make(JSON.stringify(record)), "cli")
      const refresh = (secret: string) =>
        ask("/v2/auth/oauth2/token", {
          method: "POST",
          headers: TestServer.basic(id, secret),
          body: TestServer.form({ grant_type: "refresh_token", refresh_token: "none" })
        })
      for (let n = 0; n < failureLimit; n++) assert.strictEqual((yield* refresh(`guess ${n}`)).status, 401)
      const strangers = (from: number) =>
        Effect.forEach(Array.from({ length: 60 }, (_, n) => from + n), (n) =>
          refusedRequests.record({ ...ofToken, clientId: `nobody ${n}`, isKnown: false, reason: `stranger ${n}` }))
      yield* strangers(0)
      assert.strictEqual((yield* refresh("hunter2")).status, 429)
      yield* strangers(60)
      yield* Effect.provideService(
        refusedRequests.record({ ...ofToken, clientId: undefined, isKnown: false, reason: "the last of them" }),
        CallerReference,
        "after the lock-out"
      )
      yield* eventually(Effect.map(refusedRequests.find("after the lock-out"), ({ length }) =>
        length > 0))
      const [last] = yield* refusedRequests.list(id)
      assert.deepInclude(last, { error: "temporarily_unavailable", times: 1 })
    }))

  it.effect("of no app are 1,000 at most", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const refusedRequests = yield* RefusedRequests
      yield* sql`INSERT INTO refused_requests (at, endpoint, error, reason, times, reference)
        SELECT now(), 'authorize', 'client-unknown', 'planted', 1, 'planted ' || n FROM generate_series(1, 1200) n`
      const unknown = { ...ofToken, endpoint: "authorize", clientId: undefined, isKnown: false } as const
      yield* Effect.provideService(
        refusedRequests.record({ ...unknown, reason: "later" }),
        CallerReference,
        "after the planted ones"
      )
      yield* eventually(Effect.map(refusedRequests.find("after the planted ones"), ({ length }) => length > 0))
      const [kept] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM refused_requests
        WHERE client_id IS NULL AND endpoint = 'authorize'`
      assert.strictEqual(kept?.n, 1_000)
      assert.isEmpty(yield* refusedRequests.find("planted 1"))
      assert.lengthOf(yield* refusedRequests.find("planted 1200"), 1)
    }))

  it.effect("go with their app, and forget a user whose account is deleted", () =>
    Effect.gen(function*() {
      const refusedRequests = yield* RefusedRequests
      const { admin, client, user } = yield* TestServer.approvedApp()
      const refused = { ...ofToken, clientId: client.id, userId: user, reason: "a reason" }
      yield* Effect.provideService(refusedRequests.record(refused), CallerReference, "of a leaver")
      yield* eventually(Effect.map(refusedRequests.find("of a leaver"), ([found]) => found?.userId === user))
      yield* (yield* Deletion).run(user, admin, false)
      const [left] = yield* refusedRequests.find("of a leaver")
      assert.deepInclude(left, { clientId: client.id, userId: null })
      yield* (yield* ClientReview).remove(admin, client.id)
      assert.isEmpty(yield* refusedRequests.find("of a leaver"))
    }).pipe(Effect.provide(LocalAccountServices)))

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

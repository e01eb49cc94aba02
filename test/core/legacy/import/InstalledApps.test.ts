import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "../../../support/Eventually.ts"
import { isServer } from "../../../support/TestDatabase.ts"
import { assertRefused, basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { visitor } from "../Scenario.ts"
import { app, apply, jsonLines, sha256, token, unique } from "./Scenario.ts"

layer(server(), { timeout: 60_000 })("Installed apps of an imported client", (it) => {
  it.effect("that never store a new refresh token go on with the old one, and do not count as idle", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const user = yield* newAccount("user")
      const { me, token: post } = yield* serverClient
      const refresh = `v1.MjY0-${unique()}==`
      const old = app(owner, { refresh_tokens: [token(refresh, user)] })
      yield* apply(jsonLines(old))
      const ask = (refreshToken: unknown) =>
        post(
          { grant_type: "refresh_token", refresh_token: String(refreshToken) },
          basic(old.client_id, "s3cr+t/%2B==old-server")
        )

      const unrotated = Effect.gen(function*() {
        const browser = yield* visitor(owner)
        const { text } = yield* browser.call("GET", `/v2/oauth-clients/${encodeURIComponent(old.client_id)}/migration`)
        return /"unrotatedGrants":(\d+)/.exec(text)?.[1]
      })
      assert.strictEqual(yield* unrotated, "1")
      let successor: unknown
      for (let month = 0; month < 6; month++) {
        const answer = yield* ask(refresh)
        assert.strictEqual(answer.status, 200, `month ${month}`)
        assert.strictEqual((yield* me(answer.json["access_token"])).status, 200)
        successor = answer.json["refresh_token"]
        yield* TestClock.adjust("30 days")
      }

      // Once it presents the new one it rotates like any other app.
      const second = yield* ask(successor)
      assert.strictEqual(second.status, 200)
      assert.strictEqual(yield* unrotated, "0")
      yield* TestClock.adjust("31 minutes")
      assertRefused(yield* ask(refresh), 400, "invalid_grant")
      assertRefused(yield* ask(second.json["refresh_token"]), 400, "invalid_grant")
    }))

  // The embedded database serves one transaction at a time.
  it.effect.skipIf(!isServer)(
    "that present the new token while a use of the old one is noted keep the time of that",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const owner = yield* newAccount("owner")
        const { token: post } = yield* serverClient
        const refresh = `v1.MjY0-${unique()}==`
        const old = app(owner, { refresh_tokens: [token(refresh, owner)] })
        yield* apply(jsonLines(old))
        const ask = post(
          { grant_type: "refresh_token", refresh_token: refresh },
          basic(old.client_id, "s3cr+t/%2B==old-server")
        )
        assert.strictEqual((yield* ask).status, 200)
        yield* TestClock.adjust("2 days")

        const rotatedAt = DateTime.toDateUtc(yield* DateTime.now)
        const [rotated, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const rotating = yield* sql`UPDATE grants SET generation = 2, rotated_at = ${rotatedAt}
        WHERE client_id = ${old.client_id}`.pipe(
          Effect.andThen(Deferred.succeed(rotated, undefined)),
          Effect.andThen(Deferred.await(done)),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(rotated)
        yield* TestClock.adjust("1 hour")
        // It finds the first generation still, and waits with its note.
        const repeating = yield* Effect.forkChild(ask)
        const isWaiting = Effect.map(
          sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          (rows) => rows.length > 0
        )
        yield* TestClock.withLive(eventually(isWaiting))
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(rotating)
        assert.strictEqual((yield* Fiber.join(repeating)).status, 200)
        const grants = yield* sql`SELECT generation, rotated_at FROM grants WHERE client_id = ${old.client_id}`
        assert.deepStrictEqual(grants, [{ generation: 2, rotatedAt }])
      })
  )

  it.effect("of a server that rotated may send the old token once", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const { me, token: post } = yield* serverClient
      const refresh = `v1.MjY0-${unique()}==`
      const old = app(owner, { rotates: true, refresh_tokens: [token(refresh, owner)] })
      yield* apply(jsonLines(old))
      const ask = post(
        { grant_type: "refresh_token", refresh_token: refresh },
        basic(old.client_id, "s3cr+t/%2B==old-server")
      )
      const first = yield* ask
      assert.strictEqual((yield* me(first.json["access_token"])).status, 200)
      yield* TestClock.adjust("31 minutes")
      yield* TestClock.adjust("24 hours")
      assertRefused(yield* ask, 400, "invalid_grant")
    }))

  it.effect("keep working: the old refresh token is exchanged once into a chain of ours", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const user = yield* newAccount("user")
      const { me, token: post } = yield* serverClient
      const refresh = `v1.MjY0-${unique()}==`
      const old = app(owner, { refresh_tokens: [token(refresh, user)] })
      const headers = basic(old.client_id, "s3cr+t/%2B==old-server")
      yield* apply(jsonLines(old))

      const ask = (refreshToken: unknown) =>
        post({ grant_type: "refresh_token", refresh_token: String(refreshToken) }, headers)
      const first = yield* ask(refresh)
      assert.strictEqual(first.status, 200)
      assert.strictEqual(first.json["scope"], "")
      assert.match(String(first.json["refresh_token"]), /^slk_refresh_/)
      assert.strictEqual((yield* me(first.json["access_token"])).status, 200)
      // A repeated request gets the same answer, in case the first one was lost.
      assert.strictEqual((yield* ask(refresh)).json["refresh_token"], first.json["refresh_token"])
      // What a repeat handed out is not replaced within the grace.
      yield* TestClock.adjust("30 seconds")
      const second = yield* ask(first.json["refresh_token"])
      assert.strictEqual(second.status, 200)

      const formEncoded = basic(encodeURIComponent(old.client_id), encodeURIComponent("s3cr+t/%2B==old-server"))
      assert.strictEqual((yield* post({ grant_type: "refresh_token", refresh_token: "x" }, formEncoded)).status, 400)
      assertRefused(
        yield* post({ grant_type: "refresh_token", refresh_token: "x" }, basic(old.client_id, "x")),
        401,
        "invalid_client"
      )

      // Later, a reuse of the old token shows that it was stolen.
      yield* TestClock.adjust("5 minutes")
      assertRefused(yield* ask(refresh), 400, "invalid_grant")
      assertRefused(yield* ask(second.json["refresh_token"]), 400, "invalid_grant")
      const entries = yield* sql`SELECT action FROM audit_log WHERE client_id = ${old.client_id} ORDER BY id`
      assert.deepStrictEqual(entries.map(({ action }) => action), ["client.imported", "refresh_token.reused"])
      // Neither of the stored digests is the token's own.
      const rows =
        yield* sql`SELECT digest, handle_digest FROM imported_refresh_tokens t JOIN grants g ON g.id = t.grant_id
        WHERE t.client_id = ${old.client_id}`
      assert.notInclude(
        rows.flatMap((row) => Object.values(row)).map((it) => Buffer.from(it as Uint8Array).toString("hex")),
        sha256(refresh)
      )
    }))

  it.effect("have tokens of their app alone, which end with their expiry", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const { token: post } = yield* serverClient
      const now = yield* DateTime.now
      const inHours = (hours: number) => DateTime.formatIso(DateTime.add(now, { hours }))
      const [theirs, soon, gone] = [
        `refresh-${unique()}-token`,
        `refresh-${unique()}-token`,
        `refresh-${unique()}-token`
      ]
      const [one, two] = [
        app(owner, {
          refresh_tokens: [
            token(theirs, owner),
            token(soon, owner, { expires_at: inHours(24) }),
            token(gone, owner, { expires_at: inHours(-1) })
          ]
        }),
        app(owner)
      ]
      assert.match(
        (yield* apply(jsonLines(one, two))).findings[0]?.text ?? "",
        /2 refresh tokens, a refresh token has expired/
      )
      const ask = (refreshToken: string, { client_id }: typeof one) =>
        post({ grant_type: "refresh_token", refresh_token: refreshToken }, basic(client_id, "s3cr+t/%2B==old-server"))
      assertRefused(yield* ask(theirs, two), 400, "invalid_grant")
      assertRefused(yield* ask(gone, one), 400, "invalid_grant")
      assert.strictEqual((yield* ask(theirs, one)).status, 200)
      yield* TestClock.adjust("25 hours")
      assertRefused(yield* ask(soon, one), 400, "invalid_grant")
    }))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assertRefused, basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, apply, jsonLines, sha256, token, unique } from "./Scenario.ts"

layer(server(), { timeout: 60_000 })("Installed apps of an imported client", (it) => {
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
      // Neither of the stored digests is that of the token itself.
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

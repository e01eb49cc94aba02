// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { Grants } from "../../src/core/grants/Grants.ts"
import * as Testing from "../../src/testing.ts"
import { slotkey } from "../support/Cli.ts"
import { eventually } from "../support/Eventually.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { approvedApp, assertRefused, serverClient } from "../support/TestServer.ts"

const masterKey = Buffer.alloc(32, 9).toString("base64")

/** Services of a server on the database at this URL. */
const serverOn = (url: string) =>
  Layer.fresh(
    Layer.merge(Testing.layer({ MASTER_KEY: masterKey, CODE_LIFETIME: "10 minutes" }), HttpServer.layerServices).pipe(
      Layer.provideMerge(TestDatabase.at(url))
    )
  )

describe("A database that was restored from a dump (docs/operations/backup.md)", () => {
  if (TestPostgres.missing !== undefined) return it.skip(TestPostgres.missing)

  it.live("goes on with the tokens that were issued after the dump", () =>
    Effect.gen(function*() {
      const { url } = yield* TestPostgres.make
      const dump = join(yield* TestDatabase.temporaryFolder, "slotkey.dump")
      const restored = new URL("/restored", url).href

      const before = yield* Effect.gen(function*() {
        const app = yield* approvedApp()
        const sql = yield* SqlClient.SqlClient
        const refreshed = (token: unknown) => Effect.map(app.refresh(token), ({ json }) => json["refresh_token"])
        const first = yield* refreshed((yield* app.tokens())["refresh_token"])
        const disconnected = yield* approvedApp()
        const { refresh_token: revived } = yield* disconnected.tokens()
        const code = yield* app.code()

        yield* TestPostgres.runClient("pg_dump", "--format=custom", `--file=${dump}`, url)

        const second = yield* refreshed(first)
        const { json: last } = yield* app.refresh(yield* refreshed(second))
        assert.strictEqual((yield* app.me(last["access_token"])).status, 200)
        yield* eventually(Effect.map(sql`SELECT 1 FROM grants WHERE used_generation = 4`, ({ length }) => length === 1))
        yield* (yield* Grants).disconnect(disconnected.user)
        assertRefused(yield* disconnected.refresh(revived), 400, "invalid_grant")
        const { refresh_token: gone } = yield* app.tokens()
        const { status } = yield* app.exchange(code)
        assert.strictEqual(status, 200)
        return { app, code, disconnected, gone, last, revived, second }
      }).pipe(Effect.provide(serverOn(url)))

      yield* TestPostgres.runClient("createdb", `--maintenance-db=${url}`, "restored")
      yield* TestPostgres.runClient("pg_restore", "--exit-on-error", "--no-owner", `--dbname=${restored}`, dump)

      yield* Effect.gen(function*() {
        const { app, code, disconnected, gone, last, revived, second } = before
        const { me, post, token } = yield* serverClient
        assert.strictEqual((yield* me(last["access_token"])).status, 200)
        const asked = { ...app.credentials, token: String(last["refresh_token"]) }
        assert.isTrue((yield* post("/v2/auth/oauth2/introspect", asked)).json["active"])

        const next = yield* token(app.refreshOf(last["refresh_token"]))
        assert.strictEqual(next.status, 200, next.text)
        assert.strictEqual((yield* me(next.json["access_token"])).status, 200)
        const repeat = yield* token(app.refreshOf(last["refresh_token"]))
        assert.strictEqual(repeat.json["refresh_token"], next.json["refresh_token"])
        const later = yield* token(app.refreshOf(next.json["refresh_token"]))
        assert.strictEqual(later.status, 200, later.text)

        // What a restore cannot know: a grant given since, a revocation, a code that was spent.
        assertRefused(yield* token(app.refreshOf(gone)), 400, "invalid_grant")
        const back = yield* token(disconnected.refreshOf(revived))
        assert.strictEqual(back.status, 200)
        assert.strictEqual((yield* token(app.exchangeOf(code))).status, 200)

        const ended = yield* slotkey(["grants", "end", "--user", disconnected.user, "--yes"], {
          env: { DATABASE_URL: restored, MASTER_KEY: masterKey }
        })
        assert.strictEqual(ended.stdout, "Ended 1 grant of 1 user to 1 app.\n", ended.stderr)
        assertRefused(yield* token(disconnected.refreshOf(back.json["refresh_token"])), 400, "invalid_grant")
        assert.strictEqual((yield* me(back.json["access_token"])).status, 401)

        // A token from long before the latest is a reuse again, as ever.
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE grants SET rotated_at = rotated_at - interval '5 minutes',
          window_began_at = window_began_at - interval '5 minutes'`
        assertRefused(yield* token(app.refreshOf(second)), 400, "invalid_grant")
        assert.strictEqual((yield* me(later.json["access_token"])).status, 401)
      }).pipe(Effect.provide(serverOn(restored)))
    }).pipe(Effect.scoped), 120_000)
})

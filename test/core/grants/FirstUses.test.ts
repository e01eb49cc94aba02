import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { FirstUses } from "../../../src/core/grants/FirstUses.ts"
import { RefreshTokens } from "../../../src/core/tokens/RefreshTokens.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { GrantId } from "../../../src/domain/Ids.ts"
import * as Testing from "../../../src/testing.ts"
import * as DatabaseOutage from "../../support/DatabaseOutage.ts"
import { approvedApp } from "../../support/TestServer.ts"
import { noted, usedGeneration } from "./Scenario.ts"

/** A server whose database can be cut off. */
const Server = Layer.merge(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(DatabaseOutage.layer))

/** A grant that was refreshed, with its app and the tokens of both generations. */
const refreshed = Effect.gen(function*() {
  const app = yield* approvedApp()
  const first = yield* app.tokens()
  const { json: second } = yield* app.refresh(first["refresh_token"])
  const token = (yield* RefreshTokens).read(String(first["refresh_token"]))
  return { ...app, first, second, grantId: token?.grantId ?? assert.fail("no refresh token of ours") }
})

layer(Server)("The first use of a generation", (it) => {
  it.effect("is noted when its access token opens /v2/me", () =>
    Effect.gen(function*() {
      const { grantId, me, second } = yield* refreshed
      yield* me(second["access_token"])
      yield* noted(grantId, 1)
    }))

  it.effect("is noted when the gateway asks about its access token", () =>
    Effect.gen(function*() {
      const { ask, grantId, second } = yield* refreshed
      yield* ask("/v2/auth/oauth2/check/nginx", {
        headers: {
          authorization: `Bearer ${second["access_token"]}`,
          "x-original-method": "GET",
          "x-original-uri": "/v2/bookings"
        }
      })
      yield* noted(grantId, 1)
    }))

  it.effect("is noted when a resource server introspects its access token", () =>
    Effect.gen(function*() {
      const { grantId, post, second } = yield* refreshed
      const { credential } = yield* (yield* ResourceServers).create("Bookings")
      yield* post(
        "/v2/auth/oauth2/introspect",
        { token: String(second["access_token"]) },
        { authorization: `Bearer ${Redacted.value(credential)}` }
      )
      yield* noted(grantId, 1)
    }))

  it.effect("is not noted for an access token of a generation that was replaced", () =>
    Effect.gen(function*() {
      const uses = yield* FirstUses
      const { first, grantId, me, refresh, second } = yield* refreshed
      const other = yield* refreshed
      yield* refresh(second["refresh_token"])
      yield* me(first["access_token"])
      yield* me(second["access_token"])
      uses.note(grantId, 1)
      // Written after the others, so that those have been written, too.
      yield* other.me(other.second["access_token"])
      yield* noted(other.grantId, 1)
      assert.strictEqual(yield* usedGeneration(grantId), 0)
    }))

  it.effect("changes its row once, however often the generation is used", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { grantId, me, second } = yield* refreshed
      const version = Effect.map(
        sql<{ readonly xmin: string }>`SELECT xmin::text FROM grants WHERE id = ${grantId}`,
        ([row]) => row?.xmin
      )
      yield* Effect.all(Array.from({ length: 20 }, () => me(second["access_token"])), { concurrency: "unbounded" })
      yield* noted(grantId, 1)
      const before = yield* version
      yield* me(second["access_token"])
      const other = yield* refreshed
      yield* other.me(other.second["access_token"])
      yield* noted(other.grantId, 1)
      assert.strictEqual(yield* version, before)
    }))

  it.effect("is dropped while the database is away, and noted by a use after that", () =>
    Effect.gen(function*() {
      const outage = yield* DatabaseOutage.DatabaseOutage
      const uses = yield* FirstUses
      const { grantId, me, second } = yield* refreshed
      // More than the queue holds, of grants that do not exist.
      const ids = Array.from({ length: 3_000 }, () => GrantId.make(crypto.randomUUID()))
      yield* outage.away(Effect.gen(function*() {
        uses.note(grantId, 1)
        for (const id of ids) uses.note(id, 1)
        yield* TestClock.adjust("10 seconds")
      }))
      assert.strictEqual(yield* usedGeneration(grantId), 0)
      yield* me(second["access_token"])
      yield* noted(grantId, 1)
    }))
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Database from "../../../src/foundation/database/Database.ts"
import * as TcpProxy from "../../support/TcpProxy.ts"
import * as TestPostgres from "../../support/TestPostgres.ts"

class Postgres extends Context.Service<Postgres, TestPostgres.TestPostgres>()(
  "slotkey/test/foundation/database/Connections.test/Postgres"
) {
  static readonly layer = Layer.effect(Postgres, TestPostgres.make)
}

/** The database behind a proxy of its own. */
const throughProxy = Effect.gen(function*() {
  const url = new URL((yield* Postgres).url)
  const proxy = yield* TcpProxy.make(Number(url.port))
  url.port = String(proxy.port)
  const context = yield* Layer.build(
    Database.layer.pipe(Layer.provide(AppConfig.layerTest({ DATABASE_URL: url.href })))
  )
  return { proxy, sql: Context.get(context, SqlClient.SqlClient) }
})

describe("Connections to PostgreSQL", () => {
  if (TestPostgres.missing !== undefined) return it.skip(TestPostgres.missing)

  layer(Postgres.layer, { excludeTestServices: true, timeout: "2 minutes" })((it) => {
    it.effect("lead to the host and port of the URL, and are opened anew when they were cut", () =>
      Effect.gen(function*() {
        const { proxy, sql } = yield* throughProxy
        assert.isAbove(yield* proxy.connections, 0)
        yield* proxy.cut
        assert.deepStrictEqual(yield* Effect.retry(sql`SELECT 1 AS one`, { times: 4 }), [{ one: 1 }])
      }))
  })
})

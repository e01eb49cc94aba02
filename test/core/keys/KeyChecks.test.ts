// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { KeyChecks } from "../../../src/core/keys/KeyChecks.ts"
import { MacKeys } from "../../../src/core/keys/MacKeys.ts"
import { RefreshKeys } from "../../../src/core/keys/RefreshKeys.ts"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { Readiness } from "../../../src/foundation/operator/Readiness.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { node } from "./Scenario.ts"

layer(TestDatabase.layer)("The check of the keys", (it) => {
  const keys = Effect.gen(function*() {
    yield* (yield* SigningKeys).reload
    yield* (yield* MacKeys).reload
    yield* (yield* RefreshKeys).reload
    const { checks } = yield* Effect.provide(
      Effect.flatMap(Readiness, ({ report }) => report),
      Layer.fresh(KeyChecks.pipe(Layer.provideMerge(Readiness.layer)))
    )
    return checks.keys
  })

  it.effect("fails when one of them cannot be unsealed, or none is left", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* keys, { status: "ok", detail: "All keys of the server are unsealed." })
      yield* sql`INSERT INTO server_keys (id, purpose, algorithm, encrypted_key, created_at, active_from)
        SELECT 'f00d', purpose, algorithm, 'sealed elsewhere', created_at, active_from
        FROM server_keys WHERE purpose = 'refresh-token'`
      const sealed = yield* keys
      assert.strictEqual(sealed?.status, "failed")
      assert.include(sealed?.detail ?? "", "1 of the server's keys cannot be unsealed. Check MASTER_KEY")
      yield* sql`DELETE FROM server_keys WHERE id = 'f00d'`
      assert.strictEqual((yield* keys)?.status, "ok")
      yield* sql`DELETE FROM server_keys`
      const missing = yield* keys
      assert.strictEqual(missing?.status, "failed")
      assert.include(missing?.detail ?? "", "no keys")
    }).pipe(Effect.provide(node())))
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { appUse } from "../../../src/core/grants/AppUse.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { clientId, seed } from "../tokens/Fixture.ts"

/** Grants of as many users, or of one. */
const insert = Effect.fnUntraced(
  function*(
    count: number,
    { end = false, imported = null, scopes = ["PROFILE_READ"], user = null }: {
      readonly end?: boolean
      readonly imported?: boolean | null
      readonly scopes?: ReadonlyArray<string> | null
      readonly user?: string | null
    }
  ) {
    const sql = yield* SqlClient.SqlClient
    const now = DateTime.toDateUtc(yield* DateTime.now)
    yield* sql`INSERT INTO grants
      (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at, revoked_at, imported_rotates)
    SELECT gen_random_uuid(), '', ${clientId}, coalesce(${user}::text, gen_random_uuid()::text), ${scopes}::text[],
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz + interval '1 year',
      ${end ? now : null}::timestamptz, ${imported}::boolean
    FROM generate_series(1, ${count}::int)`
  }
)

layer(TestDatabase.layer.pipe(Layer.provideMerge(AppConfig.layerTest())))("the use of an app", (it) => {
  it.effect("counts users, live grants, the last tokens, and the users who lack what is added", () =>
    Effect.gen(function*() {
      yield* seed
      const useOf = yield* appUse
      assert.deepStrictEqual(yield* useOf(clientId, ["ORG_BOOKING_READ"]), {
        users: 0,
        grants: 0,
        isComplete: true,
        asked: 0,
        authorizedAt: null,
        lastTokensAt: null
      })
      yield* insert(1, { end: true })
      yield* insert(2, {})
      yield* insert(1, { user: "several" })
      yield* TestClock.adjust("1 hour")
      const last = yield* DateTime.now
      // The wider scope covers the narrower one, and what has no scopes covers everything.
      yield* insert(1, { user: "several", scopes: ["PROFILE_READ", "ORG_BOOKING_READ"] })
      yield* insert(1, { scopes: null })
      yield* TestClock.adjust("1 hour")
      yield* insert(1, { imported: true })
      const { asked, grants, isComplete, lastTokensAt, users } = yield* useOf(clientId, ["TEAM_BOOKING_READ"])
      assert.deepStrictEqual({ asked, grants, isComplete, users }, { asked: 3, grants: 6, isComplete: true, users: 5 })
      // An imported grant has got no tokens here yet.
      assert.deepStrictEqual(lastTokensAt, last)
      assert.strictEqual((yield* useOf(clientId, ["TEAM_BOOKING_READ", "WEBHOOK_READ"])).asked, 4)
      assert.strictEqual((yield* useOf(clientId, [])).asked, 0)
    }))

  it.effect("counts no more grants than a page can wait for", () =>
    Effect.gen(function*() {
      yield* seed
      yield* insert(10_050, {})
      const { grants, isComplete, lastTokensAt } = yield* (yield* appUse)(clientId, ["BOOKING_READ"])
      assert.deepStrictEqual({ grants, isComplete, lastTokensAt }, {
        grants: 10_001,
        isComplete: false,
        lastTokensAt: null
      })
    }))
})

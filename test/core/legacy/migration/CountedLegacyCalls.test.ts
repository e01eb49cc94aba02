import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { CountedLegacyCalls } from "../../../../src/core/legacy/migration/CountedLegacyCalls.ts"
import { LegacyCalls } from "../../../../src/core/legacy/migration/LegacyCalls.ts"
import { MigrationAudits } from "../../../../src/core/legacy/migration/MigrationAudits.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { allOf, anyOf } from "../../../../src/domain/scopes/Requirement.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { addPeople } from "../../../workers/Scenario.ts"

const Counting = Layer.mergeAll(MigrationAudits.layer, CountedLegacyCalls).pipe(
  Layer.provideMerge(Layer.effectDiscard(addPeople)),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(AppConfig.layerTest())
)

const id = ClientId.make("caller")

const newClient = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at, observed_since)
    VALUES (${id}, 'olive', 'public', true, 'approved', 'Caller', 'Test', 'https://old.test',
      ARRAY['https://old.test/cb'], '{}', now(), now(), now(), now())`
})

layer(Counting)("The API calls of a legacy app", (it) => {
  it.effect("count for each scope that they needed, and together for those of which any would have done", () =>
    Effect.gen(function*() {
      const { note } = yield* LegacyCalls
      const audits = yield* MigrationAudits
      yield* newClient
      note(id, { scope: "BOOKING_READ" })
      note(id, anyOf(["BOOKING_WRITE", "BOOKING_READ"], builtIn().byRisk))
      note(id, anyOf(["BOOKING_WRITE", "BOOKING_READ"], builtIn().byRisk))
      note(id, allOf(["APPS_WRITE", "APPS_READ"]))
      const { scopes } = yield* Effect.andThen(TestClock.adjust("2 seconds"), audits.usage(id)).pipe(
        Effect.repeat({ until: ({ scopes }) => scopes.length > 0, times: 200 })
      )
      assert.deepStrictEqual(scopes, [
        { scope: "BOOKING_READ", requests: 0, calls: 1 },
        { scope: "APPS_READ", requests: 0, calls: 1 },
        { scope: "APPS_WRITE", requests: 0, calls: 1 },
        { scope: "BOOKING_READ", or: ["BOOKING_WRITE"], requests: 0, calls: 2 }
      ])
    }))
})

import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LegacyTraffic } from "../../../../src/core/legacy/migration/LegacyTraffic.ts"
import { MigrationAudits } from "../../../../src/core/legacy/migration/MigrationAudits.ts"
import { verdictOf } from "../../../../src/core/legacy/migration/MigrationVerdict.ts"
import { verdictInEnglish } from "../../../../src/core/legacy/migration/VerdictInEnglish.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { addPeople } from "../../../workers/Scenario.ts"

const Audits = Layer.mergeAll(MigrationAudits.layer, LegacyTraffic.layer).pipe(
  Layer.provideMerge(Layer.effectDiscard(addPeople)),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(AppConfig.layerTest({ MIGRATION_AUDIT_DAYS: "30", GRANT_IDLE_LIFETIME: "60 days" }))
)

const newClient = Effect.fnUntraced(function*(name: string, legacy = true) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO clients (id, owner_id, kind, legacy, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at, observed_since)
    VALUES (${name}, 'olive', 'public', ${legacy}, 'approved', ${name}, 'Test', 'https://old.test',
      ARRAY['https://old.test/cb'], ${legacy ? [] : ["PROFILE_READ"]}::text[], now(), now(), now(),
      now() - interval '8 days')`
  return ClientId.make(name)
})

const daysAgo = (days: number) =>
  Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.subtractDuration(now, Duration.days(days))))

const newGrant = Effect.fnUntraced(function*(clientId: string, scopes: ReadonlyArray<string> | null, idleDays: number) {
  const sql = yield* SqlClient.SqlClient
  const rotatedAt = yield* daysAgo(idleDays)
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
    VALUES (gen_random_uuid(), '\\x00', ${clientId}, 'uma', ${scopes && [...scopes]}::text[], ${rotatedAt},
      ${rotatedAt}, ${yield* daysAgo(-100)})`
})

const run = Effect.fnUntraced(function*(clientId: ClientId, job: string) {
  const audits = yield* MigrationAudits
  yield* audits.run(job, () => Effect.void)
  const [latest] = yield* audits.history(clientId, 1)
  return latest ?? assert.fail("there is no audit")
})

describe("The verdict on a legacy client", () => {
  layer(Audits, { excludeTestServices: true })("", (it) => {
    it.effect("follows the requests of the last days", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const traffic = yield* LegacyTraffic
        const id = yield* newClient("follows")
        yield* traffic.count(id, null, [])
        yield* traffic.count(id, null, [])
        assert.strictEqual((yield* run(id, "1")).verdict, "not-started")

        yield* traffic.count(id, ["BOOKING_READ", "PROFILE_READ"], [])
        const between = yield* run(id, "2")
        assert.strictEqual(between.verdict, "url-without-scope")
        assert.strictEqual(between.unscopedRequests, 2)
        assert.strictEqual(between.scopedRequests, 1)
        assert.deepStrictEqual(between.scopes, ["BOOKING_READ", "PROFILE_READ"])
        assert.isNotNull(between.lastUnscopedAt)

        yield* sql`UPDATE legacy_authorizations SET last_at = ${yield* daysAgo(
          31
        )} WHERE client_id = ${id} AND scope = ''`
        assert.strictEqual((yield* run(id, "3")).verdict, "safe-to-save")
      }))

    it.effect("is drawn by day, in whatever form the database writes dates", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const traffic = yield* LegacyTraffic
        const id = yield* newClient("by_day")
        yield* traffic.count(id, null, [])
        const days = yield* sql.withTransaction(
          Effect.andThen(sql`SET LOCAL "DateStyle" = 'SQL, DMY'`, traffic.days([id], 1))
        )
        assert.deepStrictEqual(days.get(id), [{ unscoped: 1, scoped: 0 }])
      }))

    it.effect("counts the old grants that still live, once the scopes were saved", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const id = yield* newClient("saved")
        yield* newGrant(id, null, 1)
        yield* newGrant(id, null, 59)
        yield* newGrant(id, null, 61)
        yield* newGrant(id, ["PROFILE_READ"], 1)
        assert.strictEqual((yield* run(id, "1")).unscopedGrants, 2)
        yield* sql`UPDATE clients SET legacy = false, scopes = ARRAY['PROFILE_READ'] WHERE id = ${id}`
        const after = yield* run(id, "2")
        assert.strictEqual(after.verdict, "migrated")
        assert.strictEqual(verdictInEnglish(after.verdict, after.unscopedGrants), "moved to scopes, 2 old grants left")
      }))

    it.effect("is kept as history, one for each job however often it runs", () =>
      Effect.gen(function*() {
        const audits = yield* MigrationAudits
        const id = yield* newClient("history")
        yield* run(id, "1")
        yield* run(id, "1")
        yield* run(id, "2")
        assert.lengthOf(yield* audits.history(id, 10), 2)
      }))

    it.effect("is made for every legacy client, page by page, and for no other", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const audits = yield* MigrationAudits
        yield* newClient("modern", false)
        yield* Effect.forEach(Array.from({ length: 230 }, (_, n) => `page_${n}`), (name) => newClient(name))
        const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM clients WHERE legacy OR id = 'saved'`
        const seen: Array<number> = []
        yield* audits.run("all", (clients) => Effect.sync(() => seen.push(clients)))
        assert.deepStrictEqual(seen, [100, 200, row?.n])
        const audited = yield* sql<{ clientId: string }>`SELECT client_id FROM migration_audits WHERE job = 'all'`
        assert.lengthOf(audited, row?.n ?? 0)
        assert.notInclude(audited.map(({ clientId }) => clientId), "modern")
      }))
  })

  layer(Layer.empty)("", (it) => {
    it.effect("never calls it safe to save while one request came without scope", () =>
      Effect.sync(() => {
        const silent = { legacy: true, scopedRequests: 0, unscopedRequests: 0, unknownWords: false }
        assert.strictEqual(
          verdictOf({ ...silent, observed: true, scopedRequests: 1_000_000, unscopedRequests: 1 }),
          "url-without-scope"
        )
        assert.strictEqual(verdictOf({ ...silent, observed: true }), "not-started")
        assert.strictEqual(verdictOf({ ...silent, observed: false }), "too-early")
        const named = { ...silent, observed: true, scopedRequests: 1 }
        assert.strictEqual(verdictOf(named), "safe-to-save")
        assert.strictEqual(verdictOf({ ...named, unknownWords: true }), "unknown-words")
      }))
  })
})

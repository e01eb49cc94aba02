// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes, randomUUID } from "node:crypto"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { AppEvents } from "../../src/core/clients/events/AppEvents.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Sweeps from "../../workers/Sweeps.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const now = DateTime.nowUnsafe()
const at = (offset: Duration.Input) => DateTime.toDateUtc(DateTime.addDuration(now, offset))
const past = at("-1 minute")
const future = at("1 hour")
const bytes = (n: number) => Uint8Array.from({ length: 32 }, (_, i) => i === 0 ? n : 0)
const uuid = (n: number) => `0195c000-0000-7000-8000-${String(n).padStart(12, "0")}`

const people = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO accounts (id, email, username, name, role, created_at)
    VALUES ('u', 'u@example.test', 'u', 'U', 'user', ${past}) ON CONFLICT DO NOTHING`
  yield* sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes,
      submitted_at, created_at, updated_at)
    VALUES ('c', 'u', 'public', 'approved', 'App', 'Test', 'https://app.test', ARRAY['https://app.test/cb'],
      ARRAY['PROFILE_READ'], ${past}, ${past}, ${past}) ON CONFLICT DO NOTHING`
})

/** Runs every sweep to its end and returns the number of rows that each table lost. */
const sweep = Effect.gen(function*() {
  const lost: Record<string, number> = {}
  for (const { prepare, table } of Sweeps.all) {
    const batch = yield* prepare
    for (let more = true; more;) {
      const done = yield* batch
      more = done.more
      lost[table] = (lost[table] ?? 0) + done.deleted
    }
  }
  return lost
})

const grant = Effect.fnUntraced(function*(
  n: number,
  { expiresAt = future, revokedAt = null, rotatedAt = past }: {
    readonly expiresAt?: Date
    readonly revokedAt?: Date | null
    readonly rotatedAt?: Date
  }
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, rotated_at, created_at, expires_at, revoked_at)
    VALUES (${uuid(n)}, ${bytes(n)}, 'c', 'u', ${rotatedAt}, ${rotatedAt}, ${expiresAt}, ${revokedAt})`
})

const Services = Layer.merge(AppEvents.layer, AuditLog.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(TestDatabase.layer, AppConfig.layerTest({ GRANT_IDLE_LIFETIME: "60 days" })))
)

layer(Services, { excludeTestServices: true })("Sweeps", (it) => {
  it.effect("delete what is past its time and leave the rest", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* people
      yield* sql`INSERT INTO initial_tokens (id, name, digest, last_four, created_at, created_by, revoked_at)
        VALUES (${uuid(1)}, 'gone', ${bytes(1)}, 'last', ${past}, 'u', ${at("-31 days")}),
          (${uuid(2)}, 'live', ${bytes(2)}, 'last', ${past}, 'u', NULL)`
      for (const [n, expiresAt] of [[1, past], [2, future]] as const) {
        yield* sql`INSERT INTO codes (digest, client_id, user_id, redirect_uri, created_at, expires_at)
          VALUES (${bytes(n)}, 'c', 'u', 'https://app.test/cb', ${past}, ${expiresAt})`
        yield* sql`INSERT INTO sessions (digest, user_id, created_at, last_seen_at, expires_at)
          VALUES (${bytes(n)}, 'u', ${past}, ${past}, ${expiresAt})`
        yield* sql`INSERT INTO continuations (id, location, expires_at) VALUES (${`w${n}`}, '/account', ${expiresAt})`
        yield* sql`INSERT INTO mailed_links (id, purpose, email, created_at, expires_at)
          VALUES (${`m${n}`}, 'invitation', ${`${n}@example.test`}, ${past}, ${expiresAt})`
        yield* sql`INSERT INTO spent_answers (digest, expires_at) VALUES (${bytes(n)}, ${expiresAt})`
        yield* sql`INSERT INTO setup_links (digest, expires_at) VALUES (${bytes(n)}, ${expiresAt})`
        yield* sql`INSERT INTO rate_limits (subject, count, window_ends_at)
          VALUES (${`s${n}`}, 1, ${expiresAt})`
      }
      for (const [n, expiresAt] of [[1, past], [2, future]] as const) {
        yield* sql`INSERT INTO authorization_requests (id, session_digest, client_id, redirect_uri, expires_at)
          VALUES (${`r${n}`}, ${bytes(2)}, 'c', 'https://app.test/cb', ${expiresAt})`
      }
      for (const noted of [at("-30 days"), at("-29 days")]) {
        yield* sql`INSERT INTO refused_requests (client_id, at, endpoint, error, reason, times)
          VALUES ('c', ${noted}, 'token', 'invalid_grant', 'spent', 1)`
      }
      for (const revoked of [at("-30 days"), at("-29 days"), null]) {
        yield* sql`INSERT INTO api_keys (id, user_id, name, digest, last_four, created_at, revoked_at)
          VALUES (${randomUUID()}, 'u', 'k', ${randomBytes(32)}, 'last', ${past}, ${revoked})`
      }
      for (const ended of [at("-30 days"), at("-29 days")]) {
        yield* sql`INSERT INTO api_keys (id, user_id, name, digest, last_four, created_at, expires_at)
          VALUES (${randomUUID()}, 'u', 'k', ${randomBytes(32)}, 'last', ${past}, ${ended})`
      }
      for (
        const [subject, doneAt, deadAt] of [
          ["open", null, null],
          ["done", at("-6 days"), null],
          ["long done", at("-7 days"), null],
          ["dead", null, at("-89 days")],
          ["long dead", null, at("-90 days")]
        ] as const
      ) {
        yield* sql`INSERT INTO outbox (queue, subject, payload, created_at, done_at, dead_at)
          VALUES ('q', ${subject}, '{}', ${at("-100 days")}, ${doneAt}, ${deadAt})`
      }
      yield* sql`INSERT INTO review_digests (user_id, outbox_id, sent_at) SELECT 'reviewer of ' || id, id, ${past} FROM outbox`
      for (const until of [at("-1 day"), at("-23 hours")]) {
        yield* sql`INSERT INTO review_decisions (client_id, reviewer, kind, at, until, version_before, version_after, before)
          VALUES ('c', 'u', 'approved', ${until}, ${until}, 1, 2, '{}')`
      }
      for (const day of [at("-401 days"), at("-399 days")]) {
        yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
          VALUES ('c', ${day}, '', 1, ${day})`
      }
      for (const day of [at("-93 days"), at("-90 days")]) {
        yield* sql`INSERT INTO client_needs (client_id, day, need, outcome, calls)
          VALUES ('c', ${day}, 'PROFILE_READ', 'allowed', 1)`
        yield* sql`INSERT INTO client_operations (client_id, day, operation, outcome, calls)
          VALUES ('c', ${day}, 'GET /v2/me', 'allowed', 1)`
      }
      for (const received of [at("-25 hours"), at("-23 hours")]) {
        yield* sql`INSERT INTO usage_received (sender, batch, at) VALUES ('s', ${randomUUID()}, ${received})`
      }
      for (const day of [at("-367 days"), at("-364 days")]) {
        yield* sql`INSERT INTO usage_gaps (day, reason, calls) VALUES (${day}, 'off', 1)`
      }
      yield* sql`INSERT INTO usage_batches (slice, at, counts)
        VALUES (1, ${past}, '{"at":0,"needs":["PROFILE_READ"],"cells":[["01900000-0000-7000-8000-000000000001",0,1,0,0]]}')`
      for (const last of [at("-401 days"), at("-399 days")]) {
        yield* sql`INSERT INTO legacy_refusals (client_id, migrated_at, requests, last_at)
          VALUES ('c', ${last}, 1, ${last})`
      }
      for (const written of [at("-401 days"), at("-399 days")]) {
        yield* sql`INSERT INTO review_messages (client_id, author, kind, text, version, at)
          VALUES ('c', 'u', 'note', 'Noted.', 1, ${written})`
      }
      for (const [user, asked] of [["u", at("-90 days")], ["v", at("-89 days")]] as const) {
        yield* sql`INSERT INTO review_wishes (client_id, user_id, reason, scopes, asked_at)
          VALUES ('c', ${user}, 'For my rota.', '{}', ${asked})`
      }
      for (const [id, expiresAt] of [["w1", past], ["w2", future]] as const) {
        yield* sql`INSERT INTO waiting_requests (id, client_id, user_id, location, kept_at, expires_at)
          VALUES (${id}, 'c', 'u', '/auth/oauth2/authorize', ${past}, ${expiresAt})`
      }
      for (const added of [at("-402 days"), at("-399 days")]) {
        yield* sql`INSERT INTO audit_log (at, actor, action) VALUES (${added}, 'u', 'client.approved')`
      }

      for (const touched of [at("-60 days"), at("-59 days")]) {
        yield* sql`INSERT INTO registration_drafts (owner_id, id, fields, updated_at)
          VALUES ('u', ${randomUUID()}, '{}', ${touched})`
      }
      for (
        const [invited, accepted] of [[at("-30 days"), null], [at("-29 days"), null], [at("-30 days"), past]] as const
      ) {
        yield* sql`INSERT INTO test_guests (id, client_id, named, invited_at, accepted_at)
          VALUES (${randomUUID()}, 'c', ${randomUUID()}, ${invited}, ${accepted})`
      }
      for (const invited of [at("-30 days"), at("-29 days")]) {
        yield* sql`INSERT INTO owner_invitations (id, client_id, named, role, takes_over, invited_at)
          VALUES (${randomUUID()}, 'c', ${randomUUID()}, 'owner', false, ${invited})`
      }
      yield* sql`INSERT INTO event_endpoints (client_id, url, secret, secret_at, created_at)
        VALUES ('c', 'https://app.test/events', 'sealed', ${past}, ${past})`
      for (const [n, age] of ([[1, "-7 days"], [2, "-6 days"]] as const)) {
        yield* sql`INSERT INTO app_events (message_id, client_id, type, data, at, tried_until)
          VALUES (${`msg_${n}`}, 'c', 'endpoint.test', '{}', ${at(age)}, ${past})`
      }

      assert.deepStrictEqual(yield* sweep, {
        app_events: 1,
        codes: 1,
        authorization_requests: 1,
        grants: 0,
        sessions: 1,
        continuations: 1,
        mailed_links: 1,
        api_keys: 2,
        setup_links: 1,
        spent_answers: 1,
        rate_limits: 1,
        refused_requests: 1,
        outbox: 2,
        owner_invitations: 1,
        review_decisions: 1,
        review_digests: 2,
        registration_drafts: 1,
        registrations: 0,
        initial_tokens: 1,
        review_messages: 1,
        waiting_requests: 1,
        review_wishes: 1,
        test_guests: 1,
        legacy_authorizations: 1,
        legacy_refusals: 1,
        migration_audits: 0,
        usage_received: 1,
        usage_gaps: 1,
        usage_batches: 1,
        client_needs: 1,
        client_operations: 1,
        audit_log: 1
      })
      assert.deepStrictEqual(Object.values(yield* sweep).filter((n) => n > 0), [])
    }))

  it.effect("delete apps that registered by themselves and are not used, with an entry in the trail", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* people
      const old = at("-15 days")
      const apps = [
        { id: "unasked", status: "pending", askedAt: null, isGone: true },
        { id: "new", status: "pending", askedAt: null, registeredAt: at("-13 days"), isGone: false },
        { id: "waits", status: "pending", askedAt: old, isGone: false },
        { id: "rejected", status: "rejected", askedAt: old, isGone: true },
        { id: "unused", status: "approved", askedAt: old, isGone: true },
        { id: "used", status: "approved", askedAt: old, isGone: false },
        { id: "suspended", status: "suspended", askedAt: old, isGone: false }
      ]
      for (const { askedAt, id, registeredAt = old, status } of apps) {
        yield* sql`INSERT INTO clients (id, owner_id, origin, kind, status, name, purpose, website, redirect_uris,
            scopes, submitted_at, created_at, updated_at)
          VALUES (${id}, 'nobody', 'dynamic', 'public', ${status}, 'App', 'Test', '', ARRAY['https://app.test/cb'],
            ARRAY['PROFILE_READ'], ${old}, ${old}, ${old})`
        yield* sql`INSERT INTO registrations (client_id, digest, metadata, registered_at, asked_at)
          VALUES (${id}, ${randomBytes(32)}, '{}', ${registeredAt}, ${askedAt})`
      }
      yield* grant(201, {})
      yield* sql`UPDATE grants SET client_id = 'used' WHERE id = ${uuid(201)}`
      yield* sweep
      const left = yield* sql<{ id: string }>`SELECT id FROM clients WHERE origin = 'dynamic'`
      assert.sameMembers(left.map(({ id }) => id), apps.filter(({ isGone }) => !isGone).map(({ id }) => id))
      const trail = yield* sql<{ id: string }>`SELECT client_id AS id FROM audit_log WHERE action = 'client.expired'`
      assert.sameMembers(trail.map(({ id }) => id), apps.filter(({ isGone }) => isGone).map(({ id }) => id))
      // Who withdraws access and comes back finds the app for as long again.
      yield* sql`DELETE FROM grants WHERE client_id = 'used'`
      yield* sweep
      assert.lengthOf(yield* sql`SELECT 1 FROM clients WHERE id = 'used'`, 1)
      yield* sql`DELETE FROM clients WHERE origin = 'dynamic'`
      yield* sql`DELETE FROM audit_log WHERE action = 'client.expired'`
    }))

  it.effect("delete grants that expired, were revoked or idle for too long, over many batches", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* people
      yield* grant(1, {})
      yield* grant(2, { expiresAt: past })
      yield* grant(3, { revokedAt: past })
      yield* grant(4, { rotatedAt: at("-60 days") })
      yield* grant(5, { rotatedAt: at("-59 days") })
      const imported = [[6, "-400 days", null], [7, "-89 days", 90], [8, "-90 days", 90], [9, "-10 days", 10]] as const
      for (const [n, rotated, idleDays] of imported) {
        yield* grant(n, { rotatedAt: at(rotated) })
        yield* sql`UPDATE grants SET imported_rotates = false, idle_days = ${idleDays} WHERE id = ${uuid(n)}`
      }
      yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, rotated_at, created_at, expires_at)
        SELECT ('0195c000-0000-7000-8000-' || lpad((1000 + n)::text, 12, '0'))::uuid, ${bytes(0)}, 'c', 'u',
          CASE WHEN n % 2 = 0 THEN ${past}::timestamptz ELSE ${at("-61 days")}::timestamptz END, ${past}, ${future}
        FROM generate_series(1, 2500) n`
      assert.strictEqual((yield* sweep)["grants"], 5 + 1250)
      const rows = yield* sql<{ id: string }>`SELECT id FROM grants ORDER BY id LIMIT 4`
      assert.deepStrictEqual(rows.map(({ id }) => id), [uuid(1), uuid(5), uuid(6), uuid(7)])
    }))

  it.effect.skipIf(!TestDatabase.isServer)(
    "leave grants that another transaction holds to the next run",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* people
        yield* grant(101, { revokedAt: past })
        yield* grant(102, { revokedAt: past })
        const [held, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holding = sql`SELECT 1 FROM grants WHERE id = ${uuid(101)} FOR UPDATE`.pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(mayEnd)),
          sql.withTransaction
        )
        const other = yield* Effect.forkChild(holding)
        yield* Deferred.await(held)
        assert.strictEqual((yield* sweep)["grants"], 1)
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(other)
        assert.strictEqual((yield* sweep)["grants"], 1)
      })
  )

  it.effect("keep rows for as long as the settings say", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* people
      const shorter = AppConfig.layerTest({
        AUDIT_LIFETIME: "10 days",
        DEAD_JOB_LIFETIME: "10 days",
        JOB_LIFETIME: "1 day",
        LEGACY_HISTORY_LIFETIME: "366 days",
        OWNER_HISTORY_LIFETIME: "10 days"
      })
      yield* Effect.provide(sweep, shorter)
      yield* sql`INSERT INTO audit_log (at, actor, action) VALUES (${at("-12 days")}, 'u', 'client.approved')`
      yield* sql`INSERT INTO outbox (queue, subject, payload, created_at, done_at, dead_at)
        VALUES ('q', 'a', '{}', ${past}, ${at("-25 hours")}, NULL), ('q', 'b', '{}', ${past}, NULL, ${at("-11 days")})`
      yield* sql`INSERT INTO refused_requests (client_id, at, endpoint, error, reason, times)
        VALUES ('c', ${at("-11 days")}, 'token', 'invalid_grant', 'spent', 1)`
      yield* sql`INSERT INTO api_keys (id, user_id, name, digest, last_four, created_at, revoked_at)
        VALUES (${randomUUID()}, 'u', 'k', ${randomBytes(32)}, 'last', ${past}, ${at("-11 days")})`
      yield* sql`INSERT INTO legacy_authorizations (client_id, day, scope, requests, last_at)
        VALUES ('c', ${at("-380 days")}, '', 1, ${at("-380 days")})`
      yield* sql`INSERT INTO legacy_refusals (client_id, migrated_at, requests, last_at)
        VALUES ('c', ${at("-380 days")}, 1, ${at("-380 days")})`
      yield* sql`INSERT INTO migration_audits (client_id, job, at, days, unscoped_requests, scoped_requests, scopes,
          unscoped_grants, verdict) VALUES ('c', 'j', ${
        at("-380 days")
      }, 30, 0, 0, ARRAY['PROFILE_READ'], 0, 'migrated')`
      const nothing = yield* sweep
      assert.deepStrictEqual(Object.entries(nothing).filter(([, deleted]) => deleted > 0), [])
      const lost = yield* Effect.provide(sweep, shorter)
      assert.deepStrictEqual(Object.entries(lost).filter(([, deleted]) => deleted > 0), [
        ["api_keys", 1],
        ["refused_requests", 1],
        ["outbox", 2],
        ["legacy_authorizations", 1],
        ["legacy_refusals", 1],
        ["migration_audits", 1],
        ["audit_log", 1]
      ])
    }))
})

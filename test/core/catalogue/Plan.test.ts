import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Catalogues, readByAll } from "../../../src/core/catalogue/Catalogues.ts"
import { apply, plan } from "../../../src/core/catalogue/Plan.ts"
import type { CheckedCatalogue } from "../../../src/domain/catalogue/file/CatalogueRules.ts"
import { ClientId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { small } from "../../domain/catalogue/file/SmallCatalogue.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { checkedOf } from "./Fixture.ts"
import { fastGrants, slowGrants } from "./SlowGrants.ts"

const Services = Catalogues.layer.pipe(
  Layer.provideMerge(AuditLog.layer),
  Layer.provideMerge(Layer.merge(TestDatabase.layer, AppConfig.layerTest()))
)

const operator = { actor: "cli" }
const first = checkedOf({})

/** Begins with the small catalogue in force, and two apps: one has a live grant and an ended one. */
const begin = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["catalogues", "audit_log", "grants", "clients"]) yield* sql.unsafe(`DELETE FROM ${table}`)
  yield* (yield* Catalogues).adopt({ file: first.file, isBuiltIn: false })
  const apps = [["reader", ["contacts.read"]], ["writer", ["contacts.read", "contacts.write"]]] as const
  for (const [id, scopes] of apps) {
    yield* sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes,
        submitted_at, created_at, updated_at)
      VALUES (${id}, 'o', 'public', 'approved', ${id}, '', 'https://a.test', '{https://a.test}', ${scopes}, now(), now(), now())`
  }
  for (const revoked of [false, true]) {
    yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at, revoked_at)
      SELECT gen_random_uuid(), '', 'writer', 'u', '{contacts.read,contacts.write}', at, at, at + interval '1 day',
        CASE WHEN ${revoked} THEN at END FROM (SELECT to_timestamp(0) AS at) AS time`
  }
})

const applied = (catalogue: CheckedCatalogue, mayWiden = false) =>
  apply({ file: catalogue.file, isBuiltIn: false, catalogue }, operator, mayWiden)

const finish = Effect.gen(function*() {
  yield* TestClock.adjust(readByAll)
  yield* (yield* Catalogues).finish(operator)
})

const deals = { name: "deals", level: "own", access: "read", title: "See deals", covers: "Lists deals." }
const withDeals = checkedOf({
  scopes: [...small.scopes, deals],
  operations: [...small.operations, { method: "GET", path: "/api/deals", access: "scope", scope: "deals" }]
})
const wider = checkedOf({
  operations: [...small.operations, { method: "GET", path: "/api/notes", access: "scope", scope: "contacts.write" }]
})

layer(Services)("A plan", (it) => {
  it.effect("counts apps and live grants that a change concerns, and writes nothing", () =>
    Effect.gen(function*() {
      yield* begin
      const retired = checkedOf({
        "scopes.1.retired": { since: "2027-01-01" },
        "operations.1.scope": "contacts.write",
        "samples.demo": ["account.read"]
      })
      const planned = yield* plan(retired)
      assert.deepStrictEqual(planned.retired, ["contacts.read"])
      assert.deepStrictEqual(planned.concerned, [{ scope: "contacts.read", apps: 2, grants: 1 }])
      assert.deepStrictEqual([planned.widens, planned.refusals], [false, []])
      // Other days are told as well, and nothing else is.
      yield* applied(retired)
      yield* finish
      const later = { "scopes.1.retired": { since: "2027-01-01", until: "2027-06-30" } }
      const again = yield* plan(checkedOf({
        ...later,
        "operations.1.scope": "contacts.write",
        "samples.demo": ["account.read"]
      }))
      assert.deepStrictEqual([again.retired, again.operations, again.widens], [["contacts.read"], [], false])
      assert.deepStrictEqual((yield* plan(retired)).retired, [])
      assert.isUndefined((yield* (yield* Catalogues).current).announced)
    }))

  it.effect("counts legacy grants that gain or lose, and the apps that may ask for more of them", () =>
    Effect.gen(function*() {
      yield* begin
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE clients SET legacy = true, scopes = '{}' WHERE id = 'reader'`
      yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, rotated_at, created_at, expires_at)
        SELECT gen_random_uuid(), '', client, 'u', at, at, at + interval '1 day'
        FROM (SELECT to_timestamp(0) AS at) AS time, unnest('{reader,reader,writer}'::text[]) AS client`
      const legacy = { scope: null, apps: 1, grants: 3 }
      const opens = yield* plan(withDeals)
      assert.deepInclude(opens.widened, { who: "legacy", what: "new operations", reaches: ["GET /api/deals"] })
      assert.deepStrictEqual(opens.concerned, [legacy])
      const closes = yield* plan(checkedOf({ operations: small.operations.slice(0, 3) }))
      assert.deepInclude(closes.narrowed, {
        who: "legacy",
        what: "operations",
        reaches: ["GET /api/status", "POST /api/workspaces/{workspaceId}/members"]
      })
      assert.deepInclude(closes.concerned, legacy)
    }))

  it.effect("knows all but the number of grants where these take longer to count than they may", () =>
    Effect.gen(function*() {
      yield* begin
      yield* Effect.acquireRelease(
        TestDatabase.as("owner", slowGrants),
        () => Effect.orDie(TestDatabase.as("owner", fastGrants))
      )
      const planned = yield* plan(wider)
      assert.deepStrictEqual(planned.concerned, [
        { scope: null, apps: 0, grants: null },
        { scope: "contacts.write", apps: 1, grants: null }
      ])
      assert.isTrue(planned.widens)
      // What is announced needs no numbers.
      yield* applied(wider, true)
    }))

  it.effect("is announced where it widens nothing, once", () =>
    Effect.gen(function*() {
      yield* begin
      assert.strictEqual((yield* Effect.flip(applied(first))).code, "catalogue_in_force")
      const stored = yield* applied(withDeals)
      assert.deepStrictEqual((yield* (yield* Catalogues).current).announced, stored)
      assert.strictEqual((yield* Effect.flip(applied(wider, true))).code, "catalogue_announced")
    }))

  it.effect("is refused where it widens, unless that is meant, and then is in the trail of the apps that gain", () =>
    Effect.gen(function*() {
      yield* begin
      const error = yield* Effect.flip(applied(wider))
      assert.strictEqual(error.code, "catalogue_widens")
      assert.include(error.message, "contacts.write: reaches the new GET /api/notes")

      const { hash } = yield* applied(wider, true)
      const entries = yield* (yield* AuditLog).list({ actor: "cli" })
      const widened = "contacts.write: reaches the new GET /api/notes"
      assert.deepStrictEqual(
        entries.map(({ action, clientId, details }) => ({ action, clientId, widened: details["widened"] }))
          .toReversed(),
        [
          { action: "catalogue.announced", clientId: null, widened },
          { action: "client.widened", clientId: ClientId.make("writer"), widened }
        ]
      )
      assert.isTrue(entries.every(({ details }) => details["hash"] === hash))
    }))

  it.effect("of two that are applied at the same moment, one is, and the trail of no app has the other", () =>
    Effect.gen(function*() {
      yield* begin
      const both = yield* Effect.forEach([wider, withDeals], (one) => Effect.result(applied(one, true)), {
        concurrency: "unbounded"
      })
      const [won, ...more] = both.filter(Result.isSuccess)
      const [lost] = both.filter(Result.isFailure)
      assert.isEmpty(more)
      assert.strictEqual(lost?.failure.code, "catalogue_announced")
      const { announced } = yield* (yield* Catalogues).current
      assert.strictEqual(announced?.id, won?.success.id)
      const entries = yield* (yield* AuditLog).list({ actor: "cli" })
      assert.isTrue(entries.every(({ details }) => details["hash"] === announced?.hash))
    }))

  it.effect("is refused for scopes that are gone or mean something else", () =>
    Effect.gen(function*() {
      yield* begin
      const other = checkedOf({
        "scopes.0.level": "workspace",
        "scopes.3": deals,
        operations: small.operations.slice(0, 3)
      })
      const error = yield* Effect.flip(applied(other, true))
      assert.strictEqual(error.code, "catalogue_refused")
      assert.deepStrictEqual(error.message.split("\n").slice(1), [
        "  members is gone: retire it, so that who holds it keeps it.",
        "  account.read means something else (level own → workspace): make a new scope."
      ])
    }))

  it.effect("goes back to what was in force, and a name does not come back with another meaning", () =>
    Effect.gen(function*() {
      yield* begin
      yield* applied(withDeals)
      yield* finish
      // Nobody has less than before but who holds the scope that came.
      yield* applied(first)
      yield* finish
      const error = yield* Effect.flip(applied(checkedOf({ scopes: [...small.scopes, { ...deals, access: "write" }] })))
      assert.deepStrictEqual(error.message.split("\n").slice(1), [
        "  deals was a scope before, with another meaning (access read → write): make a new one."
      ])
      assert.isTrue(Result.isSuccess(yield* Effect.result(applied(withDeals))))
    }))

  it.effect("needs no leave to narrow, and needs it to go back from that", () =>
    Effect.gen(function*() {
      yield* begin
      yield* applied(wider, true)
      yield* finish
      yield* applied(first)
      yield* finish
      assert.strictEqual((yield* Effect.flip(applied(wider))).code, "catalogue_widens")
    }))
})

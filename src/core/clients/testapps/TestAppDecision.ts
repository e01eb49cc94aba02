import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { NotFound } from "../../../domain/ApiError.ts"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { testStanding } from "../life/TestStanding.ts"
import { isPlausible } from "../records/ClientsRepo.ts"
import { ListedTestApp, TestAppStop } from "./ListedTestApp.ts"
import { testAppNotFound } from "./TestAppProblems.ts"

/** What administrators decide about test apps, and the latest of them. */
export interface TestAppOverview {
  /** Whether `TEST_APPS` allows them. */
  readonly isOn: boolean
  /** When an administrator stopped them, and who it was. */
  readonly stopped: Option.Option<TestAppStop>
  readonly tests: ReadonlyArray<ListedTestApp>
  readonly total: number
}

/**
 * What administrators decide about test apps at all: the setting `TEST_APPS`, and that they end one, or all of them and
 * let nobody make another. Their page and API call it, and `TestApps` before it makes one.
 */
export class TestAppDecision extends Context.Service<TestAppDecision, {
  /** Whether owners can make test apps now. */
  readonly areOffered: Effect.Effect<boolean>
  readonly overview: Effect.Effect<TestAppOverview>
  /** Ends any test app. */
  end(by: UserId, testId: string): Effect.Effect<void, NotFound>
  /** Ends all test apps, and lets nobody make another; answers their number. */
  stop(by: UserId): Effect.Effect<number>
  /** Lets owners make test apps again. */
  allow(by: UserId): Effect.Effect<void>
}>()("slotkey/core/clients/testapps/TestAppDecision") {
  static readonly layer = Layer.effect(
    TestAppDecision,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const { testApps: isOn } = yield* AppConfig

      // What the setting says now holds for all test apps that there are.
      yield* (yield* testStanding).follow(undefined)

      const stopped = Effect.orDie(firstStop(sql`SELECT at, by FROM test_app_stop`))

      const overview = Effect.gen(function*() {
        const tests = yield* allListed(sql`SELECT id, name, status, test_of, owner_id, created_at,
            ARRAY(SELECT account_id FROM test_guests WHERE client_id = clients.id AND accepted_at IS NOT NULL
              ORDER BY accepted_at) AS guests,
            (SELECT max(rotated_at) FROM grants WHERE client_id = clients.id) AS last_tokens_at
          FROM clients WHERE test_of IS NOT NULL ORDER BY created_at DESC, id LIMIT ${mostListed}`)
        const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM clients WHERE test_of IS NOT NULL`
        return { isOn, stopped: yield* stopped, tests, total: row?.n ?? 0 }
      }).pipe(Effect.orDie)

      const deleted = (by: UserId, rows: ReadonlyArray<typeof Deleted.Type>) =>
        audit.recordAll(
          rows.map(({ id, testOf }) => ({
            actor: by,
            action: "test_app.revoked",
            clientId: testOf,
            details: { testApp: id }
          }))
        )

      const end = Effect.fn("TestAppDecision.end")(
        function*(by: UserId, testId: string) {
          if (!isPlausible(testId)) return yield* testAppNotFound
          const rows = yield* allDeleted(sql`DELETE FROM clients WHERE id = ${testId} AND test_of IS NOT NULL
            RETURNING id, test_of`)
          if (rows.length === 0) return yield* testAppNotFound
          yield* deleted(by, rows)
        },
        inTransaction(sql)
      )

      const stop = Effect.fn("TestAppDecision.stop")(
        function*(by: UserId) {
          yield* TransactionLock.take(sql, "test_apps")
          const at = DateTime.toDateUtc(yield* DateTime.now)
          const rows = yield* allDeleted(sql`DELETE FROM clients WHERE test_of IS NOT NULL RETURNING id, test_of`)
          yield* deleted(by, rows)
          const added = yield* sql`INSERT INTO test_app_stop ${sql.insert({ at, by })}
            ON CONFLICT (one) DO NOTHING RETURNING at`
          if (added.length > 0) yield* audit.record({ actor: by, action: "test_apps.stopped" })
          return rows.length
        },
        inTransaction(sql)
      )

      const allow = Effect.fn("TestAppDecision.allow")(
        function*(by: UserId) {
          yield* TransactionLock.take(sql, "test_apps")
          const ended = yield* sql`DELETE FROM test_app_stop RETURNING at`
          if (ended.length > 0) yield* audit.record({ actor: by, action: "test_apps.allowed" })
        },
        inTransaction(sql)
      )

      return TestAppDecision.of({
        areOffered: isOn ? Effect.map(stopped, Option.isNone) : Effect.succeed(false),
        overview,
        end,
        stop,
        allow
      })
    })
  )
}

const mostListed = 100

const firstStop = Rows.first(TestAppStop)
const Deleted = Schema.Struct({ id: ClientId, testOf: ClientId })
const allDeleted = Rows.all(Deleted)
const allListed = Rows.all(ListedTestApp)

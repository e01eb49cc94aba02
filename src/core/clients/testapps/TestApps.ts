import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict, type Forbidden, type NotFound } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { Credential } from "../../../domain/Credential.ts"
import type { ClientId, UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { ClientRegistry } from "../life/ClientRegistry.ts"
import { newClient } from "../life/NewClient.ts"
import { appAccess, appsOf } from "../records/AppAccess.ts"
import { type Client, ManagedClient } from "../records/Client.ts"
import { clientNotFound } from "../records/ClientProblems.ts"
import { allClients, ClientsRepo, columns } from "../records/ClientsRepo.ts"
import * as NewClientId from "../records/NewClientId.ts"
import { playgroundCallback } from "../records/PlaygroundAddress.ts"
import { SecretVault } from "../secrets/SecretVault.ts"
import { TestAppDecision } from "./TestAppDecision.ts"
import { testAppNotFound } from "./TestAppProblems.ts"
import { testCopyOf } from "./TestCopy.ts"

/**
 * Test apps: copies of apps that can be used before their review, because nobody but their owner and the guests whom
 * that has invited can use them (`TestGuests`), and they have no scope of the highest risk. That such clients may be
 * used at all is what an administrator decides once (`TestAppDecision`): it is their review (specification §3). The
 * pages and the API of developers make them.
 */
export class TestApps extends Context.Service<TestApps, {
  /** Test apps of the apps in which a user has a part, the newest first. */
  listOf(user: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  /** Test app of an app, if it has one. */
  find(owner: UserId, appId: string): Effect.Effect<Option.Option<Client>, NotFound>
  /** Same; fails if it has none. */
  get(owner: UserId, appId: string): Effect.Effect<Client, NotFound>
  /** Makes the test app of an app; a confidential one gets a secret of its own, which is for who may have secrets. */
  make(owner: UserId, appId: string): Effect.Effect<NewTestApp, NotFound | Forbidden | Conflict>
  /** Gives the test app what its app has by now. */
  reset(owner: UserId, appId: string): Effect.Effect<Client, NotFound | Conflict>
  /** Deletes the test app with its secrets, grants and guests. */
  end(owner: UserId, appId: string): Effect.Effect<void, NotFound | Forbidden>
}>()("slotkey/core/clients/testapps/TestApps") {
  static readonly layer = Layer.effect(
    TestApps,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const catalogue = yield* Catalogue
      const config = yield* AppConfig
      const registry = yield* ClientRegistry
      const repo = yield* ClientsRepo
      const vault = yield* SecretVault
      const decision = yield* TestAppDecision
      const access = yield* appAccess

      const testOf = (appId: ClientId) =>
        Effect.orDie(allClients(sql`SELECT ${columns} FROM clients WHERE test_of = ${appId}`)).pipe(
          Effect.map(([test]) => Option.fromUndefinedOr(test))
        )

      const listOf = Effect.fn("TestApps.listOf")((user: UserId) =>
        Effect.orDie(allClients(sql`SELECT ${columns} FROM clients WHERE test_of IN ${appsOf(sql, user)}
          ORDER BY created_at DESC, id`)).pipe(Effect.flatMap(repo.withChanges))
      )

      const find = Effect.fn("TestApps.find")(function*(owner: UserId, appId: string) {
        const { id } = yield* registry.getOwned(owner, appId)
        return yield* testOf(id)
      })

      const get = (owner: UserId, appId: string) =>
        Effect.flatMap(
          find(owner, appId),
          Option.match({ onNone: () => Effect.fail(testAppNotFound), onSome: Effect.succeed })
        )

      /** App under its row lock, with what its test app has of it. */
      const lockApp = Effect.fnUntraced(function*(owner: UserId, appId: string) {
        const { id } = yield* registry.getOwned(owner, appId)
        const app = yield* Effect.flatMap(
          repo.lock(id),
          Option.match({ onNone: () => Effect.fail(clientNotFound), onSome: Effect.succeed })
        )
        if (app.isTestApp) return yield* isOne
        if (app.status !== "pending" && app.status !== "approved") return yield* notUsable
        const copy = testCopyOf(catalogue, app, playgroundCallback(config))
        return copy.scopes.length === 0 ? yield* nothingToTest : { app, copy }
      })

      const insert = Effect.fnUntraced(function*(app: ManagedClient, copy: ReturnType<typeof testCopyOf>) {
        yield* TransactionLock.take(sql, `clients ${app.ownerId}`)
        const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM clients
          WHERE owner_id = ${app.ownerId} AND test_of IS NOT NULL`
        if ((row?.n ?? 0) >= mostTestApps) return yield* tooMany
        const registration = { ...copy, kind: app.kind, purpose: app.purpose }
        const made = new ManagedClient({
          ...newClient(app.ownerId, NewClientId.random(), registration, Option.none(), yield* DateTime.now),
          status: "approved",
          testOf: app.id
        })
        yield* repo.insert(made)
        return made
      })

      const make = Effect.fn("TestApps.make")(
        function*(owner: UserId, appId: string): Effect.fn.Return<NewTestApp, NotFound | Forbidden | Conflict> {
          // An administrator who stops them waits for this one, and ends it, too.
          yield* Effect.orDie(TransactionLock.share(sql, "test_apps"))
          if (!(yield* decision.areOffered)) return yield* notOffered
          const { app, copy } = yield* lockApp(owner, appId)
          if (app.kind === "confidential") yield* access.allow(owner, Option.some(app), "secrets")
          if (Option.isSome(yield* testOf(app.id))) return yield* exists
          const test = yield* Effect.catchTag(insert(app, copy), "SqlError", Effect.die)
          yield* audit.record({
            actor: owner,
            action: "test_app.made",
            clientId: app.id,
            details: { testApp: test.id }
          })
          // The first secret of a confidential app is what it costs, as at a registration.
          if (test.kind === "confidential") {
            const { secret } = yield* Effect.orDie(vault.generateFirst(test.id))
            return { client: test, secret: Option.some(secret) }
          }
          yield* budgets.spend("change", owner)
          return { client: test, secret: Option.none() }
        },
        inTransaction(sql)
      )

      const reset = Effect.fn("TestApps.reset")(
        function*(owner: UserId, appId: string) {
          const { app, copy } = yield* lockApp(owner, appId)
          const [found] = yield* repo.withChanges(Option.toArray(yield* testOf(app.id)))
          if (found === undefined) return yield* testAppNotFound
          yield* budgets.spend("change", owner)
          const next = new ManagedClient({
            ...found,
            ...copy,
            purpose: app.purpose,
            refreshGrace: app.refreshGrace,
            updatedAt: yield* DateTime.now,
            version: found.version + 1
          })
          yield* repo.save(next)
          yield* audit.record({
            actor: owner,
            action: "test_app.reset",
            clientId: app.id,
            details: { testApp: next.id }
          })
          return next
        },
        inTransaction(sql)
      )

      return TestApps.of({
        listOf,
        find,
        get,
        make,
        reset,
        end: Effect.fn("TestApps.end")((owner, appId) =>
          Effect.andThen(
            registry.getFor("delete", owner, appId),
            Effect.flatMap(get(owner, appId), ({ id }) => registry.remove(owner, id))
          )
        )
      })
    })
  )
}

/** A test app that was just made; a public one has no secret. */
interface NewTestApp {
  readonly client: ManagedClient
  readonly secret: Option.Option<Credential>
}

/** Test apps of one owner; an app has one. */
export const mostTestApps = 5

const notOffered = new Conflict({ code: "test_apps_off", message: "This server has no test apps." })
const exists = new Conflict({ code: "test_app_exists", message: "This app has a test app already." })
const isOne = new Conflict({ code: "test_app", message: "This is a test app itself." })
const notUsable = new Conflict({
  code: "not_testable",
  message: "A rejected or suspended app has no test app that can be used."
})
const nothingToTest = new Conflict({
  code: "nothing_to_test",
  message: "All scopes of this app are of the highest risk, which no test app gets."
})
const tooMany = new Conflict({
  code: "too_many_test_apps",
  message: `You have ${mostTestApps} test apps. End one that you do not need any more.`
})

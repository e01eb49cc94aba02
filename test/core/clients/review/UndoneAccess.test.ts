import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { IdentitySource } from "../../../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../../../src/core/accounts/people/Sessions.ts"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import type { EditInput } from "../../../../src/core/clients/life/Registration.ts"
import type { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { readRequest } from "../../../../src/core/consent/AuthorizationRequest.ts"
import { Consent } from "../../../../src/core/consent/Consent.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import * as TransactionLock from "../../../../src/foundation/database/TransactionLock.ts"
import { eventually } from "../../../support/Eventually.ts"
import { approvedApp, assertRefused, layer as server } from "../../../support/TestServer.ts"
import { newAccount } from "../Scenario.ts"

/** Grants that ended with the undoing of the last decision, as the trail says. */
const endedWith = Effect.fnUntraced(function*({ id }: ManagedClient, action: string) {
  const [entry] = yield* (yield* AuditLog).list({ clientId: id, actions: [action], limit: 1 })
  return entry?.details["endedGrants"]
})

/** An approved app with a grant from before, whose change is approved by the same reviewer. */
const changedApp = Effect.fnUntraced(function*(edit: EditInput) {
  const registry = yield* ClientRegistry
  const review = yield* ClientReview
  const app = yield* approvedApp()
  const earlier = yield* app.tokens()
  yield* TestClock.adjust("1 minute")
  const { version } = yield* registry.edit(app.owner, app.client.id, edit)
  const changed = yield* review.approve(app.admin, app.client.id, version)
  yield* TestClock.adjust("1 minute")
  return { ...app, earlier, changed, undo: review.undo(app.admin, changed.id, changed.version) }
})

const wider = ["BOOKING_READ", "PROFILE_READ", "BOOKING_WRITE"]

layer(server())("When a reviewer undoes an approval", (it) => {
  it.effect("every grant and code of the app ends, and the trail counts them", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const { admin, client, code, exchange, me, refresh, tokens } = yield* approvedApp()
      const { access_token, refresh_token } = yield* tokens()
      yield* tokens()
      const unspent = yield* code()
      const undone = yield* review.undo(admin, client.id, client.version)
      assert.strictEqual(undone.status, "pending")
      assert.strictEqual((yield* me(access_token)).status, 401)
      assert.strictEqual((yield* refresh(refresh_token)).status, 400)
      assert.strictEqual(yield* endedWith(client, "client.approval_undone"), 2)
      // Nor do they come back with the next approval.
      yield* review.approve(admin, client.id, undone.version)
      assert.strictEqual((yield* me(access_token)).status, 401)
      assertRefused(yield* refresh(refresh_token), 400, "invalid_grant")
      assertRefused(yield* exchange(unspent), 400, "invalid_grant")
    }))

  it.effect("of more scopes, grants with these end, and others stay", () =>
    Effect.gen(function*() {
      const { changed, code, earlier, exchange, me, tokens, undo } = yield* changedApp({ scopes: wider })
      const within = yield* tokens({ scopes: ["BOOKING_READ", "PROFILE_READ"] })
      const beyond = yield* tokens({ scopes: ["PROFILE_READ", "BOOKING_WRITE"] })
      const unspent = yield* code({ scopes: ["PROFILE_READ", "BOOKING_WRITE"] })
      yield* undo
      assert.strictEqual((yield* me(earlier["access_token"])).status, 200)
      assert.strictEqual((yield* me(within["access_token"])).status, 200)
      assert.strictEqual((yield* me(beyond["access_token"])).status, 401)
      assertRefused(yield* exchange(unspent), 400, "invalid_grant")
      assert.strictEqual(yield* endedWith(changed, "client.change_approval_undone"), 1)
    }))

  it.effect("of more addresses, all grants since then end: any may have been given at one of them", () =>
    Effect.gen(function*() {
      const { client } = yield* approvedApp()
      const redirectUris = [...client.redirectUris, "https://other.example/callback"]
      const { earlier, me, tokens, undo } = yield* changedApp({ redirectUris })
      const since = yield* tokens()
      yield* undo
      assert.strictEqual((yield* me(earlier["access_token"])).status, 200)
      assert.strictEqual((yield* me(since["access_token"])).status, 401)
    }))

  it.effect("of a wider scope, grants of what it includes stay where the app had it before", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const app = yield* approvedApp({ scopes: ["PROFILE_READ", "ORG_BOOKING_READ"] })
      const { version } = yield* registry.edit(app.owner, app.client.id, { name: `${app.client.name} again` })
      const changed = yield* review.approve(app.admin, app.client.id, version)
      const { access_token } = yield* app.tokens({ scopes: ["PROFILE_READ", "TEAM_BOOKING_READ"] })
      yield* review.undo(app.admin, changed.id, changed.version)
      assert.strictEqual((yield* app.me(access_token)).status, 200)
    }))

  it.effect("a consent that is being given is waited for, and ends as well", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { client, code, exchange, undo } = yield* changedApp({ scopes: wider })
      const begun = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      // As `Consent` does it.
      const consent = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* TransactionLock.share(sql, `consents ${client.id}`)
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(goOn)
        return yield* code({ scopes: ["PROFILE_READ", "BOOKING_WRITE"] })
      })))
      yield* Deferred.await(begun)
      const undoing = yield* Effect.forkChild(undo)
      yield* Effect.yieldNow
      yield* Deferred.succeed(goOn, undefined)
      const given = yield* Fiber.join(consent)
      yield* Fiber.join(undoing)
      assertRefused(yield* exchange(given), 400, "invalid_grant")
    }))

  // PGlite runs one transaction after the other, so nothing can be concurrent there.
  it.effect.skipIf(process.env["TEST_DATABASE_URL"] === undefined)(
    "a consent that is given meanwhile waits, and gives nothing of what was undone",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const consent = yield* Consent
        const sessions = yield* Sessions
        const { changed, tokens, undo, user } = yield* changedApp({ scopes: wider })
        yield* tokens({ scopes: ["PROFILE_READ", "BOOKING_WRITE"] })
        const identities = yield* IdentitySource
        const visitor = Effect.fnUntraced(function*(user: UserId) {
          return {
            session: Option.getOrThrow(yield* sessions.find(Redacted.value(yield* sessions.start(user)))),
            account: Option.getOrThrow(yield* identities.find(user))
          }
        })
        const [returning, fresh] = [yield* visitor(user), yield* visitor(yield* newAccount("user"))]
        const query = yield* Effect.fromResult(readRequest(`${new URLSearchParams({
          client_id: changed.id,
          redirect_uri: changed.redirectUris[0] ?? "",
          response_type: "code",
          scope: "PROFILE_READ BOOKING_WRITE"
        })}`))
        const question = yield* consent.authorize(fresh, changed, query)
        if (question._tag !== "Question") return assert.fail("There is nothing to ask.")
        const [held, mayGo] = [yield* Latch.make(), yield* Latch.make()]
        const undoing = yield* TransactionLock.take(sql, `consents ${changed.id}`).pipe(
          Effect.andThen(held.open),
          Effect.andThen(mayGo.await),
          Effect.andThen(undo),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* held.await
        const choice = { decision: "allow", ticked: [], end: "server" } as const
        const deciding = yield* Effect.forkChild(consent.decide(fresh, question.id, choice))
        const comingBack = yield* Effect.forkChild(consent.authorize(returning, changed, query))
        const waiting = sql`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`
        yield* TestClock.withLive(eventually(Effect.map(waiting, ({ length }) => length === 2)))
        yield* mayGo.open
        yield* Fiber.join(undoing)
        assert.include(yield* Fiber.join(deciding), "error=invalid_scope")
        assert.strictEqual((yield* Fiber.join(comingBack))._tag, "Question")
      })
  )
})

import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppEvents } from "../../../../src/core/clients/events/AppEvents.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { approvalRevocation } from "../../../../src/core/grants/ApprovalRevocation.ts"
import { GrantRevocation } from "../../../../src/core/grants/GrantRevocation.ts"
import { Grants } from "../../../../src/core/grants/Grants.ts"
import { sweeps } from "../../../../src/core/grants/GrantSweeps.ts"
import { operatorRevocation } from "../../../../src/core/grants/OperatorRevocation.ts"
import { userRevocation } from "../../../../src/core/grants/UserRevocation.ts"
import type { ClientId, GrantId, UserId } from "../../../../src/domain/Ids.ts"
import { newGrantId } from "../../tokens/Fixture.ts"
import { newAccount, newClient, people } from "../Scenario.ts"
import { endpoint, published, servicesOf } from "./Scenario.ts"

/** Opens a grant for a user, which is given now. */
const open = Effect.fnUntraced(function*(clientId: ClientId, userId: UserId, scopes: ReadonlyArray<string> | null) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const id = yield* newGrantId
  yield* sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
    VALUES (${id}, '\\x00', ${clientId}, ${userId}, ${scopes}, ${now}, ${now}, ${now}::timestamptz + interval '100 days')`
  return id
})

/** Events that were written, as type, reason, and the grants of each. */
const written = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly type: string; readonly data: string }>`SELECT type, data::text FROM app_events
    ORDER BY id`
  return rows.map(({ data, type }) => ({ type, ...JSON.parse(data) }))
})

const forget = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM app_events`
  yield* sql`DELETE FROM outbox`
})

const scene = Effect.gen(function*() {
  yield* (yield* SqlClient.SqlClient)`DELETE FROM grants`
  const { owner } = yield* people
  const user = yield* newAccount("user")
  const { client } = yield* newClient(owner)
  const { client: deaf } = yield* newClient(owner)
  yield* endpoint(owner, client.id, "/hook")
  yield* forget
  return { owner, user, client: client.id, deaf: deaf.id }
})

const Services = GrantRevocation.layer.pipe(Layer.provideMerge(servicesOf()))

layer(Services, { timeout: "1 minute" })("The end of a grant", (it) => {
  it.effect("is told to its app alone, with why, and with no more than the app knows", () =>
    Effect.gen(function*() {
      const { client, deaf, user } = yield* scene
      const grants = yield* Grants
      const users = yield* userRevocation
      const approvals = yield* approvalRevocation
      const operators = yield* operatorRevocation
      const revocation = yield* GrantRevocation
      const since = yield* DateTime.now
      const all = { userId: undefined, clientId: client, since: undefined, until: undefined }
      const ways: ReadonlyArray<readonly [reason: string, end: (id: GrantId) => Effect.Effect<unknown>]> = [
        ["user", () => users.end(user, [client, deaf])],
        ["user", (id) => users.endOne(user, client, id)],
        ["account_closed", () => grants.disconnect(user, undefined, "account closed")],
        ["app", (grantId) => revocation.revoke({ grantId, userId: user, clientId: client }, "grant.revoked")],
        ["token_reused", (grantId) =>
          revocation.revoke({ grantId, userId: user, clientId: client }, "refresh_token.reused")],
        ["code_replayed", (grantId) =>
          revocation.revoke({ grantId, userId: user, clientId: client }, "code.replayed")],
        ["displaced", (id) => grants.revoke(id, "displaced")],
        ["operator", () => operators.end(all, "cli")],
        ["approval_undone", () => approvals.end({ clientId: client, since, before: [] })]
      ]
      for (const [reason, end] of ways) {
        const id = yield* open(client, user, ["BOOKING_READ", "PROFILE_READ"])
        yield* open(deaf, user, ["BOOKING_READ"])
        yield* end(id)
        yield* end(id)
        assert.deepStrictEqual(yield* written, [{
          type: "grant.ended",
          client_id: client,
          reason,
          grants: [{ grant_id: id, sub: user, scope: "BOOKING_READ PROFILE_READ" }]
        }], reason)
        yield* forget
      }
    }))

  it.effect("of a legacy app that is superseded says that it had everything", () =>
    Effect.gen(function*() {
      const { client, user } = yield* scene
      const old = yield* open(client, user, null)
      const by = yield* open(client, user, ["BOOKING_READ"])
      yield* (yield* GrantRevocation).supersede(client, user, by)
      assert.deepStrictEqual(yield* written, [{
        type: "grant.ended",
        client_id: client,
        reason: "superseded",
        grants: [{ grant_id: old, sub: user, unrestricted: true }]
      }])
    }))

  it.effect("is told when its time is over, once", () =>
    Effect.gen(function*() {
      const { client, user } = yield* scene
      const sweep = Effect.gen(function*() {
        for (const { prepare } of sweeps) yield* yield* prepare
      })
      const idle = yield* open(client, user, ["BOOKING_READ"])
      yield* (yield* Grants).revoke(yield* open(client, user, ["BOOKING_READ"]), "displaced")
      yield* forget
      yield* TestClock.adjust("61 days")
      const expired = yield* open(client, user, ["BOOKING_READ"])
      yield* (yield* SqlClient.SqlClient)`UPDATE grants SET expires_at = created_at WHERE id = ${expired}`
      yield* sweep
      yield* sweep
      const told = (yield* written).map(({ grants: [grant], reason }) => [reason, grant.grant_id])
      assert.deepStrictEqual(told, [["expired", expired], ["idle", idle]])
    }))

  it.effect("of many at once is a few events, in one transaction with it", () =>
    Effect.gen(function*() {
      const { client, user } = yield* scene
      const sql = yield* SqlClient.SqlClient
      const operators = yield* operatorRevocation
      for (let n = 0; n < 120; n++) yield* open(client, user, ["BOOKING_READ"])
      const all = { userId: undefined, clientId: client, since: undefined, until: undefined }
      const failed = yield* Effect.exit(
        sql.withTransaction(Effect.andThen(operators.end(all, "cli"), Effect.fail("something else")))
      )
      assert.isTrue(Exit.isFailure(failed))
      assert.isEmpty(yield* written)
      assert.deepStrictEqual(yield* operators.end(all, "cli"), { grants: 120, users: 1, clients: 1 })
      assert.deepStrictEqual((yield* written).map(({ grants }) => grants.length), [50, 50, 20])
      assert.lengthOf(yield* published("event-deliveries"), 1)
    }))

  it.effect("that comes earlier than it would is told, too", () =>
    Effect.gen(function*() {
      const { client, user } = yield* scene
      const id = yield* open(client, user, ["BOOKING_READ"])
      yield* (yield* userRevocation).shorten(user, client, Duration.days(30))
      assert.deepStrictEqual(yield* written, [{
        type: "grant.changed",
        client_id: client,
        ends_at: DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, "30 days")),
        grants: [{ grant_id: id, sub: user, scope: "BOOKING_READ" }]
      }])
    }))

  it.effect("is told to no platform that no setting names", () =>
    Effect.gen(function*() {
      const { client, owner, user } = yield* scene
      yield* open(client, user, ["BOOKING_READ"])
      yield* (yield* Grants).disconnect(user)
      yield* (yield* ClientRegistry).remove(owner, client)
      assert.isEmpty(yield* published("platform-events"))
    }))

  it.effect("is one event, however often it is published under one id", () =>
    Effect.gen(function*() {
      const { client, deaf } = yield* scene
      const events = yield* AppEvents
      const event = { clientId: client, type: "app.suspended", data: {}, id: "outbox-1-2" } as const
      yield* events.publish(event)
      yield* events.publish(event)
      yield* events.publish({ ...event, clientId: deaf })
      assert.lengthOf(yield* written, 1)
    }))
})

const ToPlatform = GrantRevocation.layer.pipe(Layer.provideMerge(servicesOf({
  PLATFORM_WEBHOOK_URL: "https://platform.test/hook",
  PLATFORM_WEBHOOK_SECRET: "a secret of the platform"
})))

layer(ToPlatform, { timeout: "1 minute" })("The platform", (it) => {
  it.effect("hears of the end of every grant, and of an app that is deleted", () =>
    Effect.gen(function*() {
      const { client, deaf, owner, user } = yield* scene
      const one = yield* open(client, user, ["BOOKING_READ"])
      const two = yield* open(deaf, user, null)
      yield* (yield* Grants).disconnect(user, undefined, "account closed")
      yield* (yield* ClientRegistry).remove(owner, deaf)
      const ended = { reason: "account_closed" }
      assert.sameDeepMembers([...yield* published("platform-events")], [
        {
          clientId: client,
          type: "grant.ended",
          data: { client_id: client, ...ended, grants: [{ grant_id: one, sub: user, scope: "BOOKING_READ" }] }
        },
        {
          clientId: deaf,
          type: "grant.ended",
          data: { client_id: deaf, ...ended, grants: [{ grant_id: two, sub: user, unrestricted: true }] }
        },
        { clientId: deaf, type: "app.deleted", data: { client_id: deaf } }
      ])
    }))
})

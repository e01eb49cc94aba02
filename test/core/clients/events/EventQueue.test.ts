import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppEvents } from "../../../../src/core/clients/events/AppEvents.ts"
import { EventEndpoints } from "../../../../src/core/clients/events/EventEndpoints.ts"
import * as Host from "../../../support/PictureHost.ts"
import { newClient, people } from "../Scenario.ts"
import { deliverDue, endpoint, published, servicesOf } from "./Scenario.ts"

/** An app with an endpoint. */
const scene = Effect.fnUntraced(function*(path: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM app_events`
  yield* sql`DELETE FROM outbox`
  const { owner } = yield* people
  const { client } = yield* newClient(owner)
  const hook = yield* endpoint(owner, client.id, path)
  const events = yield* AppEvents
  const tell = (n: number) =>
    events.publish({ clientId: client.id, type: "app.approved", data: { client_id: client.id, n } })
  const list = Effect.flatMap(EventEndpoints, (endpoints) => endpoints.deliveries(client.id))
  return { owner, client, hook, tell, list }
})

/** Lets the time pass as workers see it. */
const pass = Effect.fnUntraced(function*(hours: number) {
  for (let ticks = 0; ticks < hours * 2; ticks++) {
    yield* TestClock.adjust("30 minutes")
    yield* deliverDue
  }
})

layer(servicesOf(), { timeout: "1 minute" })("Events for an app", (it) => {
  it.effect("arrive signed, once each, with what they tell", () =>
    Effect.gen(function*() {
      const { client, hook, list, tell } = yield* scene("/arrive")
      yield* tell(1)
      yield* deliverDue
      yield* deliverDue
      assert.deepStrictEqual(hook.got.map(({ data, signatures, type }) => ({ data, signatures, type })), [
        { type: "app.approved", data: { client_id: client.id, n: 1 }, signatures: 1 }
      ])
      const [delivery] = yield* list
      assert.strictEqual(delivery?.id, hook.got[0]?.id)
      assert.deepInclude(delivery, { state: "delivered", attempts: 1, status: 204, fault: null })
    }))

  it.effect(
    "outlive a day in which the endpoint is dead: none is lost, and none comes under two ids",
    () =>
      Effect.gen(function*() {
        const { hook, list, tell } = yield* scene("/dead")
        hook.status = 503
        // One each half hour of the day, and many at its end.
        for (let n = 0; n < 47; n++) {
          yield* tell(n)
          yield* pass(0.5)
        }
        for (let n = 47; n < 150; n++) yield* tell(n)
        yield* pass(0.5)
        // However many wait, a dead endpoint is asked as often as one event would be.
        assert.isBelow(hook.requests, 40)
        assert.isTrue((yield* list).every(({ state }) => state === "waiting"))
        assert.isEmpty(yield* published("endpoint-mails"))

        hook.status = 200
        hook.got.length = 0
        yield* pass(2)
        const numbers = hook.got.map(({ data }) => data["n"])
        assert.deepStrictEqual(numbers.toSorted((a, b) => Number(a) - Number(b)), [...Array(150).keys()])
        assert.strictEqual(new Set(hook.got.map(({ id }) => id)).size, 150)
        assert.isTrue((yield* list).every(({ state }) => state === "delivered"))
      }),
    60_000
  )

  it.effect("come again under the same id when an answer was lost", () =>
    Effect.gen(function*() {
      const { hook, tell } = yield* scene("/lost")
      yield* tell(1)
      hook.status = 500
      yield* deliverDue
      hook.status = 200
      yield* pass(0.5)
      assert.lengthOf(hook.got, 2)
      assert.strictEqual(hook.got[0]?.id, hook.got[1]?.id)
    }))

  it.effect(
    "are given up after a day, of which the owner gets one mail, and are sent again under the same id",
    () =>
      Effect.gen(function*() {
        const endpoints = yield* EventEndpoints
        const { client, hook, list, owner, tell } = yield* scene("/given-up")
        hook.status = 404
        for (let n = 0; n < 20; n++) yield* tell(n)
        yield* pass(26)
        assert.isTrue(
          (yield* list).every(({ state, status }) => state === "failed" && (status === 404 || status === null))
        )
        yield* tell(20)
        yield* pass(26)
        assert.deepStrictEqual(yield* published("endpoint-mails"), [{ userId: owner, clientId: client.id }])

        hook.status = 200
        const ids = new Set((yield* endpoints.deliveries(client.id, "failed")).map(({ id }) => id))
        assert.strictEqual(ids.size, 21)
        hook.got.length = 0
        const [first] = ids
        assert.strictEqual((yield* endpoints.sendAgain(owner, client.id, first ?? "")).state, "waiting")
        assert.strictEqual((yield* Effect.flip(endpoints.sendAgain(owner, client.id, first ?? "")))._tag, "Conflict")
        yield* deliverDue
        assert.deepStrictEqual(hook.got.map(({ id }) => id), [first])
        assert.strictEqual(yield* endpoints.sendFailedAgain(owner, client.id), 20)
        yield* deliverDue
        assert.deepStrictEqual(new Set(hook.got.map(({ id }) => id)), ids)
        assert.isEmpty(yield* endpoints.deliveries(client.id, "failed"))
      }),
    60_000
  )

  it.effect("do not wait for one that the endpoint never takes", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const { hook, tell } = yield* scene("/picky")
      const taken: Array<string> = []
      host.serve("/picky", async (request, response) => {
        let body = ""
        for await (const chunk of request) body += chunk
        const isPoison = /"n": ?0\b/.test(body)
        if (!isPoison) taken.push(body)
        response.writeHead(isPoison ? 500 : 200).end()
      })
      for (let n = 0; n < 10; n++) yield* tell(n)
      yield* deliverDue
      assert.lengthOf(taken, 9)
      assert.isEmpty(hook.got)
    }))

  it.effect("wait for no other app's endpoint", () =>
    Effect.gen(function*() {
      const dead = yield* scene("/silent")
      const { owner } = yield* people
      const { client } = yield* newClient(owner)
      const hook = yield* endpoint(owner, client.id, "/well")
      dead.hook.status = 500
      for (let n = 0; n < 5; n++) yield* dead.tell(n)
      yield* (yield* AppEvents).publish({ clientId: client.id, type: "app.approved", data: {} })
      yield* deliverDue
      assert.lengthOf(hook.got, 1)
      assert.strictEqual(dead.hook.requests, 2)
    }))

  it.effect("go to no private address, and follow no redirect", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const { hook, list, tell } = yield* scene("/moved")
      hook.status = 307
      yield* tell(1)
      yield* deliverDue
      assert.deepInclude((yield* list)[0], { state: "waiting", status: 307, fault: null })
      assert.strictEqual(hook.requests, 1)
      host.requests()
      host.connections()
      host.name("pictures.example", ["10.0.0.1"])
      yield* pass(0.5)
      host.name("pictures.example", [Host.publicAddress])
      assert.deepInclude((yield* list)[0], { state: "waiting", status: null, fault: "not_public" })
      assert.isEmpty(host.requests())
      assert.isEmpty(host.connections())
    }))

  it.effect("are not sent while the endpoint's secret cannot be read, and its owner hears why", () =>
    Effect.gen(function*() {
      const endpoints = yield* EventEndpoints
      const sql = yield* SqlClient.SqlClient
      const { client, hook, list, owner, tell } = yield* scene("/sealed")
      yield* sql`UPDATE event_endpoints SET secret = 'sealed under a key that is gone' WHERE client_id = ${client.id}`
      yield* tell(1)
      yield* deliverDue
      assert.strictEqual(hook.requests, 0)
      assert.deepInclude((yield* list)[0], { state: "waiting", status: null, fault: "unsigned" })
      hook.secret = Redacted.value((yield* endpoints.rotate(owner, client.id)).secret)
      yield* pass(1)
      assert.deepInclude((yield* list)[0], { state: "delivered" })
    }))

  it.effect("are signed with both secrets for a day after another was made", () =>
    Effect.gen(function*() {
      const endpoints = yield* EventEndpoints
      const { client, hook, owner, tell } = yield* scene("/rotated")
      const old = hook.secret
      const { endpoint: { previousUntil }, secret } = yield* endpoints.rotate(owner, client.id)
      assert.deepStrictEqual(previousUntil, DateTime.addDuration(yield* DateTime.now, "1 day"))
      yield* tell(1)
      yield* deliverDue
      hook.secret = Redacted.value(secret)
      yield* tell(2)
      yield* deliverDue
      assert.deepStrictEqual(hook.got.map(({ signatures }) => signatures), [2, 2])
      yield* TestClock.adjust("1 day")
      yield* tell(3)
      yield* deliverDue
      assert.deepStrictEqual(hook.got.map(({ signatures }) => signatures), [2, 2, 1])
      hook.secret = old
      yield* tell(4)
      yield* deliverDue
      assert.strictEqual(hook.forged, 1)
    }))
})

import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { AuditLog } from "../../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { nameTwins } from "../../../../src/core/clients/life/NameTwins.ts"
import { testStanding } from "../../../../src/core/clients/life/TestStanding.ts"
import * as ClientCounts from "../../../../src/core/clients/records/ClientCounts.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { ownerRecord } from "../../../../src/core/clients/review/OwnerRecord.ts"
import { TestAppDecision } from "../../../../src/core/clients/testapps/TestAppDecision.ts"
import { mostTestApps, TestApps } from "../../../../src/core/clients/testapps/TestApps.ts"
import { TestGuests } from "../../../../src/core/clients/testapps/TestGuests.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { registration } from "../Fixture.ts"
import { authenticates, newAccount, newClient, people, Services, servicesWith } from "../Scenario.ts"

const made = Effect.gen(function*() {
  const { admin, other, owner } = yield* people
  const tests = yield* TestApps
  const { client: app } = yield* newClient(owner)
  const { client: test, secret } = yield* tests.make(owner, app.id)
  return { admin, app, other, owner, secret: Option.getOrThrow(secret), test, tests }
})

layer(Services)("A test app", (it) => {
  it.effect("is a client of its own that can be used, while its app waits for review", () =>
    Effect.gen(function*() {
      const { app, secret, test } = yield* made
      assert.deepInclude(test, {
        status: "approved",
        name: `Test: ${app.name}`,
        ownerId: app.ownerId,
        kind: app.kind,
        testOf: app.id,
        reviewedAt: null
      })
      assert.notStrictEqual(test.id, app.id)
      assert.isTrue(yield* authenticates(test.id, secret))
      assert.isFalse(yield* authenticates(app.id, secret))
    }))

  it.effect("is made once for each app, for its owner alone, and five times by one", () =>
    Effect.gen(function*() {
      const { app, other, owner, tests } = yield* made
      assert.strictEqual((yield* Effect.flip(tests.make(owner, app.id))).code, "test_app_exists")
      assert.strictEqual((yield* Effect.flip(tests.make(other, app.id))).code, "client_not_found")
      assert.strictEqual((yield* Effect.flip(tests.get(other, app.id))).code, "client_not_found")
      for (let count = 1; count < mostTestApps; count++) yield* tests.make(owner, (yield* newClient(owner)).client.id)
      const { client } = yield* newClient(owner)
      assert.strictEqual((yield* Effect.flip(tests.make(owner, client.id))).code, "too_many_test_apps")
      yield* tests.end(owner, app.id)
      yield* tests.make(owner, client.id)
    }))

  it.effect("is refused to an app whose scopes are all of the highest risk", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("dev")
      const { client } = yield* newClient(owner, { scopes: ["ORG_MEMBERSHIP_WRITE"] })
      const tests = yield* TestApps
      assert.strictEqual((yield* Effect.flip(tests.make(owner, client.id))).code, "nothing_to_test")
    }))

  it.effect("cannot be edited, decided about or tested itself; a reset gives it what its app has", () =>
    Effect.gen(function*() {
      const { admin, app, owner, test, tests } = yield* made
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const scopes = ["BOOKING_READ", "BOOKING_WRITE"]
      for (
        const refused of [
          registry.edit(owner, test.id, { scopes }),
          review.suspend(admin, test.id, "Abuse."),
          review.give(admin, test.id, admin)
        ]
      ) assert.strictEqual((yield* Effect.flip(refused)).code, "test_app")
      assert.strictEqual((yield* Effect.flip(tests.make(owner, test.id))).code, "test_app")
      yield* registry.edit(owner, app.id, { name: "Another name", scopes })
      assert.strictEqual((yield* tests.get(owner, app.id)).version, test.version)
      const after = yield* tests.reset(owner, app.id)
      assert.deepStrictEqual(after.scopes, scopes)
      assert.deepInclude(yield* tests.get(owner, app.id), { name: "Test: Another name", version: test.version + 1 })
    }))

  it.effect("stands still while its app is rejected or suspended, and goes with it", () =>
    Effect.gen(function*() {
      const { admin, app, owner, test, tests } = yield* made
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const status = Effect.map(tests.get(owner, app.id), ({ status }) => status)
      yield* review.reject(admin, app.id, "Too vague.", app.version)
      assert.strictEqual(yield* status, "suspended")
      yield* tests.end(owner, app.id)
      assert.strictEqual((yield* Effect.flip(tests.make(owner, app.id))).code, "not_testable")
      const { version } = yield* registry.resubmit(owner, app.id)
      yield* tests.make(owner, app.id)
      yield* review.approve(admin, app.id, version)
      assert.strictEqual(yield* status, "approved")
      yield* review.suspend(admin, app.id, "Abuse.")
      assert.strictEqual(yield* status, "suspended")
      yield* review.resume(admin, app.id)
      assert.strictEqual(yield* status, "approved")
      yield* registry.remove(owner, app.id)
      assert.isTrue(Option.isNone(yield* registry.find(test.id)))
      assert.strictEqual(
        (yield* (yield* TestAppDecision).overview).tests.some(({ testOf }) => testOf === app.id),
        false
      )
    }))

  it.effect("stands still from the start of a server with TEST_APPS off, until one with it on", () =>
    Effect.gen(function*() {
      const { app, owner, secret, test, tests } = yield* made
      const config = yield* AppConfig
      const start = (testApps: boolean) =>
        testStanding.pipe(
          Effect.provideService(AppConfig, { ...config, testApps }),
          Effect.flatMap(({ follow }) => follow(undefined))
        )
      yield* start(false)
      assert.deepInclude(yield* tests.get(owner, app.id), { status: "suspended", version: test.version + 1 })
      assert.isFalse(yield* (yield* TestGuests).mayUse(test, owner))
      yield* start(true)
      assert.strictEqual((yield* tests.get(owner, app.id)).status, "approved")
      assert.isTrue(yield* authenticates(test.id, secret))
    }))

  it.effect("ends when its app gets another owner", () =>
    Effect.gen(function*() {
      const { admin, app, other, tests } = yield* made
      yield* (yield* ClientReview).give(admin, app.id, other)
      assert.isTrue(Option.isNone(yield* tests.find(other, app.id)))
    }))

  it.effect("is nothing to reviewers, takes no name and is in no list of its owner's apps", () =>
    Effect.gen(function*() {
      const before = yield* ClientCounts.count
      const { admin, app, owner, test } = yield* made
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { clients, counts } = yield* review.queue({ state: "all", search: app.name })
      assert.deepStrictEqual([clients.map(({ id }) => id), counts.all], [[app.id], 1])
      assert.deepStrictEqual(yield* (yield* ownerRecord)(app), {})
      const twins = yield* nameTwins
      assert.deepStrictEqual((yield* twins.of({ id: app.id, ownerId: admin, name: test.name })).apps, [])
      assert.deepStrictEqual((yield* registry.listOwned(owner)).map(({ id }) => id), [app.id])
      assert.deepStrictEqual((yield* registry.pageOf(owner, 10, undefined)).clients.map(({ id }) => id), [app.id])
      const total = ({ byStatus }: typeof before) => byStatus.reduce((sum, [, count]) => sum + count, 0)
      assert.strictEqual(total(yield* ClientCounts.count), total(before) + 1)
    }))

  it.effect("keeps others from its name", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const owner = yield* newAccount("dev")
      const { details } = yield* Effect.flip(registry.register(owner, { ...registration, name: "T\u0435st: Door" }))
      assert.deepStrictEqual(details?.map(({ path, rule }) => [path, rule?.code]), [["name", "testName"]])
    }))

  it.effect("leaves entries in the trail of its app, without the names of guests", () =>
    Effect.gen(function*() {
      const { app, owner, test, tests } = yield* made
      yield* (yield* TestGuests).invite(owner, test, "Ann@Example.com")
      yield* tests.end(owner, app.id)
      const trail = yield* (yield* AuditLog).list({ clientId: app.id })
      assert.deepStrictEqual(trail.map(({ action }) => action), [
        "test_app.ended",
        "test_app.invited",
        "test_app.made",
        "secret.generated",
        "client.registered"
      ])
      assert.notInclude(JSON.stringify(trail).toLowerCase(), "ann@")
    }))

  it.effect("ends with all others when an administrator stops them, and nobody makes one until they are allowed", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(0)
      const { admin, app, owner, tests } = yield* made
      const decision = yield* TestAppDecision
      const { total } = yield* decision.overview
      assert.isAtLeast(total, 1)
      assert.strictEqual(yield* decision.stop(admin), total)
      const { isOn, stopped, tests: left } = yield* decision.overview
      assert.deepStrictEqual([isOn, left, Option.getOrThrow(stopped).by], [true, [], admin])
      assert.isFalse(yield* decision.areOffered)
      assert.strictEqual((yield* Effect.flip(tests.make(owner, app.id))).code, "test_apps_off")
      yield* decision.allow(admin)
      const { client: { id } } = yield* tests.make(owner, app.id)
      yield* decision.end(admin, id)
      assert.isTrue(Option.isNone(yield* tests.find(owner, app.id)))
      assert.strictEqual((yield* Effect.flip(decision.end(admin, app.id))).code, "test_app_not_found")
    }))
})

layer(servicesWith({ TEST_APPS: "off" }))("With TEST_APPS off", (it) => {
  it.effect("nobody makes a test app", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("dev")
      const { client } = yield* newClient(owner)
      assert.strictEqual((yield* Effect.flip((yield* TestApps).make(owner, client.id))).code, "test_apps_off")
      assert.isFalse(yield* (yield* TestAppDecision).areOffered)
    }))
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { jobStoreCheck } from "../../../../src/foundation/jobs/queue/JobStoreCheck.ts"
import { examine } from "../../../../src/foundation/operator/Readiness.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TcpProxy from "../../../support/TcpProxy.ts"
import * as TestRedis from "../../../support/TestRedis.ts"

const probeOf = (url: string) =>
  jobStoreCheck("failed").pipe(
    Effect.map(([check]) => check?.probe ?? Effect.die("There is no check")),
    Effect.provide(AppConfig.layerTest({ REDIS_URL: url }))
  )

describe("The check of the Redis that holds the jobs", () => {
  if (TestRedis.missing !== undefined) return it.skip(TestRedis.missing)

  it.live("says of each trouble what it is, not what the last one was", () =>
    Effect.gen(function*() {
      const redis = yield* TestRedis.make
      const proxy = yield* TcpProxy.make(redis.port)
      const probe = yield* probeOf(TestRedis.urlAt(proxy.port))
      assert.strictEqual((yield* probe).status, "ok")

      const silent = yield* redis.stalled(examine({ name: "jobs", probe, otherwise: "failed" }))
      assert.strictEqual(silent.status, "failed")
      assert.include(silent.detail, "Socket timeout", "the cause, and not that the probe took too long")
      assert.strictEqual((yield* probe).status, "ok")

      // A paused Redis has read what it does not answer, so its connections end without an error when it dies.
      yield* redis.pause
      yield* eventually(Effect.map(proxy.connections, (open) => open === 0))
      const asked = yield* Effect.forkChild(probe, { startImmediately: true })
      yield* eventually(Effect.map(proxy.connections, (open) => open === 1))
      yield* redis.kill
      const died = yield* Fiber.join(asked)
      assert.strictEqual(died.status, "failed")
      assert.match(died.detail, /closed|ECONNRESET/)

      yield* proxy.lead(1)
      assert.match((yield* probe).detail, /closed|ECONNRESET/, "a proxy takes connections and closes them")
      assert.include((yield* yield* probeOf(redis.url)).detail, "ECONNREFUSED")
    }), 60_000)

  it.live(
    "asks over a new connection each time, so that one that has fallen silent says nothing",
    () =>
      Effect.gen(function*() {
        const proxy = yield* TcpProxy.make((yield* TestRedis.make).port)
        const probe = yield* probeOf(TestRedis.urlAt(proxy.port))
        for (const fault of ["silence", "loseAnswers"] as const) {
          assert.strictEqual((yield* probe).status, "ok")
          yield* proxy[fault]
        }
        assert.strictEqual((yield* probe).status, "ok")
      }),
    60_000
  )

  it.live("is degraded while Redis may delete jobs to make room", () =>
    Effect.gen(function*() {
      const redis = yield* TestRedis.make
      const probe = yield* probeOf(redis.url)
      yield* redis.permit("+info")
      yield* redis.administer("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
      const evicting = yield* probe
      assert.strictEqual(evicting.status, "degraded")
      assert.include(evicting.detail, "its maxmemory-policy is allkeys-lru")

      yield* redis.permit("-info")
      assert.deepStrictEqual(yield* probe, { status: "ok", detail: "Redis answers." }, "it does not tell")
    }), 60_000)

  const wrongPassword = { says: "WRONGPASS", remedy: "Check the user and the password in REDIS_URL." }
  it.live.each<
    { name: string; refuse: (redis: TestRedis.TestRedis) => Effect.Effect<void>; says: string; remedy?: string }
  >([
    { name: "no longer knows the password", refuse: ({ permit }) => permit("resetpass", ">another"), ...wrongPassword },
    {
      name: "no longer has the user",
      refuse: ({ administer }) => administer("ACL", "DELUSER", "slotkey"),
      ...wrongPassword
    },
    {
      name: "permits its user no writes",
      refuse: ({ permit }) => permit("-@write"),
      says: "NOPERM",
      remedy: "Give the user in REDIS_URL the rights in docs/operations/install.md."
    },
    { name: "has become a replica", refuse: (redis) => redis.follow(redis), says: "READONLY" },
    {
      name: "has no memory left",
      refuse: ({ administer }) => administer("CONFIG", "SET", "maxmemory", "1"),
      says: "OOM"
    },
    {
      name: "has too few replicas to take writes",
      refuse: ({ administer }) => administer("CONFIG", "SET", "min-replicas-to-write", "1"),
      says: "NOREPLICAS"
    }
  ])("is red when Redis answers that it $name", ({ refuse, remedy, says }) =>
    Effect.gen(function*() {
      const redis = yield* TestRedis.make
      const probe = yield* probeOf(redis.url)
      assert.strictEqual((yield* probe).status, "ok")
      yield* refuse(redis)
      const refused = yield* probe
      assert.strictEqual(refused.status, "failed")
      assert.include(refused.detail, `Redis refuses us, and jobs wait: ${says} `)
      assert.strictEqual(refused.remedy, remedy)
    }), 60_000)
})

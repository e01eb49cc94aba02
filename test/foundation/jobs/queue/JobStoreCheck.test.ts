// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { jobStoreCheck } from "../../../../src/foundation/jobs/queue/JobStoreCheck.ts"
import { examine, Readiness } from "../../../../src/foundation/operator/Readiness.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TcpProxy from "../../../support/TcpProxy.ts"
import * as TestRedis from "../../../support/TestRedis.ts"

describe("The check of the Redis that holds the jobs", () => {
  if (TestRedis.missing !== undefined) return it.skip(TestRedis.missing)

  it.live("says of each trouble what it is, not what the last one was", () =>
    Effect.gen(function*() {
      const redis = yield* TestRedis.make
      const services = yield* Layer.build(Layer.merge(AppConfig.layerTest({ REDIS_URL: redis.url }), Readiness.layer))
      const { probe } = Option.getOrThrow(yield* Effect.provide(jobStoreCheck("degraded"), services))
      const answers = eventually(Effect.map(probe, ({ status }) => status === "ok"))
      yield* answers

      const silent = yield* redis.stalled(probe)
      assert.strictEqual(silent.status, "degraded")
      assert.include(silent.detail, "Socket timeout")
      yield* answers

      // A paused Redis has read what it does not answer, so its connections end without an error when it dies.
      yield* redis.pause
      const asked = yield* Effect.forkChild(probe, { startImmediately: true })
      yield* redis.kill
      const died = yield* Fiber.join(asked)
      assert.strictEqual(died.status, "degraded")
      assert.match(died.detail, /closed|ECONNRESET/)

      assert.include((yield* probe).detail, "ECONNREFUSED")
    }), 60_000)

  it.live.each(["silence", "loseAnswers"] as const)(
    "leaves a connection on which nothing is answered any more, and asks over another (%s)",
    (fault) =>
      Effect.gen(function*() {
        const url = new URL((yield* TestRedis.make).url)
        const proxy = yield* TcpProxy.make(Number(url.port))
        url.port = String(proxy.port)
        const services = yield* Layer.build(Layer.merge(AppConfig.layerTest({ REDIS_URL: url.href }), Readiness.layer))
        const { probe } = Option.getOrThrow(yield* Effect.provide(jobStoreCheck("failed"), services))
        const answers = eventually(Effect.map(probe, ({ status }) => status === "ok"))
        yield* answers

        yield* proxy[fault]
        const silent = yield* examine({ name: "jobs", probe, otherwise: "failed" })
        assert.strictEqual(silent.status, "failed")
        assert.include(silent.detail, "Socket timeout", "the cause, and not that the probe took too long")
        yield* answers
      }),
    60_000
  )

  it.live("is degraded while Redis may delete jobs to make room", () =>
    Effect.gen(function*() {
      const redis = yield* TestRedis.make
      const services = yield* Layer.build(Layer.merge(AppConfig.layerTest({ REDIS_URL: redis.url }), Readiness.layer))
      const { probe } = Option.getOrThrow(yield* Effect.provide(jobStoreCheck("failed"), services))
      yield* redis.administer("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
      const evicting = yield* probe
      assert.strictEqual(evicting.status, "degraded")
      assert.include(evicting.detail, "its maxmemory-policy is allkeys-lru")

      yield* redis.administer("ACL", "SETUSER", "default", "-info")
      assert.deepStrictEqual(yield* probe, { status: "ok", detail: "Redis answers." }, "it does not tell")
      yield* redis.administer("ACL", "SETUSER", "default", "+info")
      yield* redis.administer("CONFIG", "SET", "maxmemory-policy", "noeviction")
      assert.strictEqual((yield* probe).status, "ok")
    }), 60_000)
})

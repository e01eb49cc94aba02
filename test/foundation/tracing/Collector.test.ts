// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import * as Collector from "../../../src/foundation/tracing/Collector.ts"
import { LogLines } from "../../support/LogLines.ts"

const batch = HttpClientRequest.post("https://collector.test/v1/traces?key=hunter2")

/** Sends this number of batches at once to a collector that answers so. */
const send = (batches: number, answer: () => Promise<Response>) =>
  Effect.gen(function*() {
    const client = yield* HttpClient.HttpClient
    const sending = yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: batches }), () => client.execute(batch), { concurrency: "unbounded" }).pipe(
        Effect.provideService(FetchHttpClient.Fetch, answer)
      )
    )
    yield* TestClock.adjust("10 seconds")
    return yield* Fiber.join(sending)
  })

const Sending = Collector.layer(Duration.seconds(10)).pipe(Layer.provideMerge(LogLines.layer))

describe("The way to the collector of traces", () => {
  it.effect("is a line in the log when it breaks and one when it is open again, however many batches are lost", () =>
    Effect.gen(function*() {
      const logged = yield* LogLines
      for (let attempt = 0; attempt < 3; attempt++) {
        const answers = yield* send(1, () => Promise.resolve(new Response(null, { status: 401 })))
        assert.deepStrictEqual(answers.map(({ status }) => status), [200], "the exporter must go on")
      }
      yield* send(1, () => Promise.resolve(new Response()))
      yield* send(1, () => Promise.resolve(new Response()))
      assert.deepStrictEqual(
        logged.all.map(({ batches, level, outage }) => ({ batches, level, outage })),
        [{ batches: undefined, level: "ERROR", outage: "traces" }, { batches: 3, level: "INFO", outage: "traces" }]
      )
    }).pipe(Effect.provide(Layer.fresh(Sending))))

  it.effect.each([
    { answer: () => Promise.resolve(new Response(null, { status: 401 })), reason: "it answers 401" },
    { answer: () => new Promise<Response>(() => {}), reason: "it does not answer" },
    {
      answer: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })),
      reason: "it cannot be reached: connect ECONNREFUSED"
    }
  ])(
    "is said to be closed because $reason, and no key in the address is in the log",
    ({ answer, reason }) =>
      Effect.gen(function*() {
        const logged = yield* LogLines
        yield* send(1, answer)
        assert.deepStrictEqual(logged.all.map(({ reason }) => reason), [reason])
        assert.notInclude(JSON.stringify(logged.all), "hunter2")
      }).pipe(Effect.provide(Layer.fresh(Sending)))
  )

  it.effect("follows no redirect, for the headers hold a key", () =>
    Effect.gen(function*() {
      const redirects: Array<unknown> = []
      const client = yield* HttpClient.HttpClient
      yield* client.execute(batch).pipe(
        Effect.provideService(FetchHttpClient.Fetch, (_url, init) => {
          redirects.push(init?.redirect)
          return Promise.resolve(new Response(null, { status: 307, headers: { location: "https://other.test" } }))
        })
      )
      assert.deepStrictEqual(redirects, ["manual"])
    }).pipe(Effect.provide(Layer.fresh(Sending))))

  it.effect("holds four batches at a time, for as long as the setting says, and drops the others", () =>
    Effect.gen(function*() {
      const logged = yield* LogLines
      let calls = 0
      const silent = () => {
        calls++
        return new Promise<Response>(() => {})
      }
      assert.lengthOf(yield* send(20, silent), 20)
      assert.strictEqual(calls, 4)
      yield* send(1, silent)
      assert.strictEqual(calls, 5, "the four are given up")
      assert.lengthOf(logged.all, 1)
    }).pipe(Effect.provide(Layer.fresh(Sending))))

  it.effect("repeats what a collector that is busy did not take", () =>
    Effect.gen(function*() {
      const logged = yield* LogLines
      let calls = 0
      yield* send(1, () => Promise.resolve(new Response(null, { status: calls++ === 0 ? 503 : 200 })))
      assert.strictEqual(calls, 2)
      assert.lengthOf(logged.all, 0)
    }).pipe(Effect.provide(Layer.fresh(Sending))))
})

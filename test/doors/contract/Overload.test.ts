import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AdmissionControl from "../../../src/app/AdmissionControl.ts"
import * as RequestMetrics from "../../../src/foundation/operator/RequestMetrics.ts"
import { RouteTemplates } from "../../../src/foundation/operator/RouteTemplates.ts"
import { hasTheWordsOfItsDoor, misfits, type Operation, operations } from "./Fixture.ts"

/** A server that starts this many requests at a time and answers none. */
const silent = Effect.fnUntraced(function*(slots: number) {
  const server = yield* Effect.acquireRelease(
    Effect.map(
      RequestMetrics.make(new RouteTemplates()),
      (metrics) =>
        AdmissionControl.make({ slots, timeout: 1, tokenTimeout: 10, requestTimeout: 20, headers: {}, metrics })
    ),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
})

const assertUnavailable = (origin: string, operation: Operation) =>
  Effect.gen(function*() {
    const answer = yield* Effect.promise(async () => {
      const response = await fetch(origin + operation.path, { method: operation.method.toUpperCase() })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text.startsWith("{") ? JSON.parse(text) : {}
      }
    })
    assert.strictEqual(answer.status, 503)
    assert.strictEqual(answer.headers.get("retry-after"), "1")
    assert.deepStrictEqual(misfits(operation, answer), [], operation.name)
    assert.isTrue(hasTheWordsOfItsDoor(answer), answer.text)
  })

it.live("an overloaded server answers every operation of the API as documented", () =>
  Effect.gen(function*() {
    const origin = yield* silent(0)
    const withSlots = operations.filter(({ path }) => path.startsWith("/v2/"))
    yield* Effect.forEach(withSlots, (operation) => assertUnavailable(origin, operation))
  }))

it.live("a server that takes too long answers every operation as documented", () =>
  Effect.gen(function*() {
    const origin = yield* silent(Infinity)
    const thatMayWait = operations.filter(({ operation: { responses } }) => "503" in responses)
    yield* Effect.forEach(thatMayWait, (operation) => assertUnavailable(origin, operation), { concurrency: 20 })
  }))

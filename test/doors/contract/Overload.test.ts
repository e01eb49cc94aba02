import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AdmissionControl from "../../../src/app/AdmissionControl.ts"
import { misfits, operations } from "./Fixture.ts"

/** A server that sends every API request away. */
const overloaded = Effect.gen(function*() {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => AdmissionControl.make({ slots: 0, timeout: 1, headers: {} })),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
})

it.live("an overloaded server answers every operation of the API as documented", () =>
  Effect.gen(function*() {
    const origin = yield* overloaded
    for (const operation of operations.filter(({ path }) => path.startsWith("/v2/"))) {
      const answer = yield* Effect.promise(async () => {
        const response = await fetch(origin + operation.path, { method: operation.method.toUpperCase() })
        const text = await response.text()
        return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
      })
      assert.strictEqual(answer.status, 503)
      assert.deepStrictEqual(misfits(operation, answer), [], operation.name)
    }
  }))

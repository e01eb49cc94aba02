import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { exampleOf } from "../../../src/doors/docs/Examples.ts"
import { usagePath } from "../../../src/doors/oauth/UsageWire.ts"
import type { Answer } from "../../support/TestServer.ts"
import { misfits, operations, requestMisfits } from "./Fixture.ts"
import * as Scenario from "./Scenario.ts"

// Reports of resource servers are no part of the management API: a server that knows less ignores what it does not know.
const withBody = operations.filter(({ operation: { requestBody }, path }) =>
  Object.keys(requestBody?.content ?? {}).join() === "application/json" && path !== usagePath
)

/** Faults that an answer 400 tells. */
const told = ({ json, status, text }: Answer): ReadonlyArray<object> => {
  assert.strictEqual(status, 400, text)
  return Object(json["error"]).details
}

layer(Scenario.layer)("a body of the management API", (it) => {
  it.effect.each(withBody)(
    "with a field that is not known is refused, by the document, too ($name)",
    (operation) =>
      Effect.gen(function*() {
        const { method, path } = operation
        const { authorization } = yield* Scenario.keyHolder("admin")
        const { json, path: target } = exampleOf(builtIn(), method, path)?.request ?? { path }
        const body = { ...Object(json), misspelt: 1 }
        assert.isNotEmpty(requestMisfits(operation, body))
        const answer = yield* Scenario.ask(target, {
          method: method.toUpperCase(),
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
        assert.deepStrictEqual(misfits(operation, answer), [])
        assert.deepInclude(told(answer), { path: "misspelt", message: "is not a known field" })
      })
  )

  it.effect("that is no JSON, or no object, is told as that", () =>
    Effect.gen(function*() {
      const { authorization } = yield* Scenario.keyHolder()
      const headers = { authorization, "content-type": "application/json" }
      for (
        const [body, message] of [
          ["", "must be a JSON object"],
          ["{", "must be valid JSON"],
          ["[]", "must be a JSON object"],
          ["null", "must be a JSON object"]
        ] as const
      ) {
        const answer = yield* Scenario.ask("/v2/oauth-clients", { method: "POST", headers, body })
        assert.deepStrictEqual(told(answer), [{ path: "", message }], body)
      }
    }))
})

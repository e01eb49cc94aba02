import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { misfits, operations } from "./Fixture.ts"
import { managementAnswers } from "./ManagementAnswers.ts"
import { pageAnswers } from "./PageAnswers.ts"
import { protocolAnswers } from "./ProtocolAnswers.ts"
import * as Scenario from "./Scenario.ts"

const scenarios: Readonly<Record<string, Scenario.Scenarios>> = {
  ...managementAnswers,
  ...protocolAnswers,
  ...pageAnswers
}

describe("the scenarios", () => {
  it("name an operation each", () => {
    assert.deepStrictEqual(Object.keys(scenarios).sort(), operations.map(({ name }) => name).sort())
  })
})

layer(Scenario.layer)("the server answers as its contract says", (it) => {
  for (const operation of operations) {
    const { name, operation: { responses } } = operation
    const known = scenarios[name] ?? {}
    for (const status of new Set([...Object.keys(responses), ...Object.keys(known)].map(Number))) {
      it.effect(`${name} ${status}`, () =>
        Effect.gen(function*() {
          const scenario = known[status]
          if (scenario === undefined) return assert.fail(`no scenario ends in ${status}`)
          const answer = yield* scenario
          assert.deepStrictEqual(misfits(operation, answer), [])
          assert.strictEqual(answer.status, status)
        }))
    }
  }
})

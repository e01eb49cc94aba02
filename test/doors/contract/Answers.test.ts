import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { exampleOf } from "../../../src/doors/docs/Examples.ts"
import { usagePath } from "../../../src/doors/oauth/UsageWire.ts"
import type { Exchange } from "../../support/TestServer.ts"
import { hasTheWordsOfItsDoor, misfits, type Operation, operations } from "./Fixture.ts"
import { managementAnswers } from "./ManagementAnswers.ts"
import { pageAnswers } from "./PageAnswers.ts"
import { protocolAnswers } from "./ProtocolAnswers.ts"
import * as Recording from "./Recording.ts"
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

/**
 * What an answer and its example in the documentation have in common: the names of its members, and the code of an
 * error.
 */
const outline = (json: unknown) => {
  const { data, error }: { readonly data?: unknown; readonly error?: unknown } = Object(json)
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data)
  return {
    members: Object.keys(Object(json)),
    data: isObject ? Object.keys(data) : [],
    error: typeof error === "object" && error !== null && "code" in error ? error.code : error
  }
}

const isUpdate = process.env["UPDATE_DOCS"] !== undefined
const outdated = "the example is of another time: UPDATE_DOCS=1 npx vitest run test/doors/contract writes it"

const recorded = new Map<Operation, Array<Exchange>>()
afterAll(() => {
  if (isUpdate) Recording.write(recorded)
})

layer(Scenario.layer)("the server answers as its contract says (UPDATE_DOCS=1 keeps the answers as examples)", (it) => {
  for (const operation of operations) {
    const { method, name, operation: { responses }, path } = operation
    const known = scenarios[name] ?? {}
    for (const status of new Set([...Object.keys(responses), ...Object.keys(known)].map(Number))) {
      it.effect(`${name} ${status}`, () =>
        Effect.gen(function*() {
          const scenario = known[status]
          if (scenario === undefined) return assert.fail(`no scenario ends in ${status}`)
          const answer = yield* scenario
          assert.deepStrictEqual(misfits(operation, answer), [])
          assert.strictEqual(answer.status, status)
          assert.isTrue(hasTheWordsOfItsDoor(answer), answer.text)
          if (!isUpdate) {
            assert.deepStrictEqual(
              outline(exampleOf(builtIn(), method, path)?.answers[status]?.json),
              outline(answer.json),
              outdated
            )
          }
          recorded.set(operation, [...recorded.get(operation) ?? [], answer])
        }))
    }
  }

  // Resource servers are asked for their credential first.
  const takesJson = ({ operation: { requestBody }, path }: Operation) =>
    Object.keys(requestBody?.content ?? {}).join() === "application/json" && path !== usagePath
  it.effect.each(operations.filter(takesJson))(
    "$name 415 to no body of another media type",
    (operation) =>
      Effect.gen(function*() {
        const { call } = yield* Scenario.keyHolder("admin")
        const path = operation.path.replaceAll(/\{\w+\}/g, "nobody")
        const answer = yield* call(operation.method.toUpperCase(), path, undefined, "text/plain")
        assert.deepStrictEqual(misfits(operation, answer), [])
        assert.strictEqual(answer.status, 415)
        assert.deepInclude(answer.json, { status: "error", path })
      })
  )

  it.effect.each(["nginx", "forwarded", "envoy/{call}"])("to any method at %s", (gateway) =>
    Effect.gen(function*() {
      const [operation] = operations.filter(({ name }) => name === `GET /v2/auth/oauth2/check/${gateway}`)
      if (operation === undefined) return assert.fail("is not documented")
      for (const method of ["OPTIONS", "DELETE", "QUERY"]) {
        const answer = yield* Scenario.ask(operation.path.replace("{call}", "v2/none"), { method })
        assert.deepStrictEqual(misfits(operation, answer), [], method)
      }
    }))
})

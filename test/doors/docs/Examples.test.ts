import { assert, describe, it } from "@effect/vitest"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { exampleOf } from "../../../src/doors/docs/Examples.ts"
import { misfits, operations, requestMisfits } from "../contract/Fixture.ts"

describe("the example", () => {
  for (const operation of operations) {
    const { method, name, operation: { requestBody, responses }, path } = operation

    it(`of ${name} has a request and an answer of each status, which are what the contract says`, () => {
      const example = exampleOf(builtIn(), method, path)
      if (example === undefined) return assert.fail("UPDATE_DOCS=1 npx vitest run test/doors/contract records it")

      const template = new RegExp(`^${path.replace("{call}", ".+").replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`)
      assert.match(example.request.path, template)
      const body = example.request.form ?? example.request.json
      assert.strictEqual(body === undefined, requestBody === undefined)
      assert.deepStrictEqual(requestMisfits(operation, body), [])

      assert.deepStrictEqual(Object.keys(example.answers), Object.keys(responses))
      for (const [status, { headers, json }] of Object.entries(example.answers)) {
        const { content = {} } = responses[Number(status)] ?? {}
        const type = json === undefined ? Object.keys(content)[0] : "application/json"
        const faults = misfits(operation, {
          status: Number(status),
          headers: new Headers({ ...headers, ...(type === undefined ? {} : { "content-type": type }) }),
          text: json === undefined ? "" : JSON.stringify(json),
          json: Object(json)
        })
        assert.deepStrictEqual(faults.filter((fault) => fault !== "has no header cache-control"), [], status)
        if ("application/json" in content) assert.isDefined(json, status)
      }
    })
  }
})

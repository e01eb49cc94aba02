import { assert, describe, it } from "@effect/vitest"
import { builtIn, make } from "../../../src/domain/catalogue/Catalogue.ts"
import { exampleOf } from "../../../src/doors/docs/Examples.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"
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

describe("the example of a gateway's question, where the catalogue is a CRM's", () => {
  const crm = make(crmCatalogue)
  const questions = operations.filter(({ path }) => path.includes("/check/"))

  it.each(questions.map(({ method, path }) => ({ method, path })))(
    "is about an operation of that, and its refusal names the scope that it needs: $method $path",
    ({ method, path }) => {
      const example = exampleOf(crm, method, path)
      // The CRM has no PUT.
      if (method === "put") return assert.isUndefined(example)
      const { answers, request } = example ?? assert.fail()
      const { "x-forwarded-uri": forwarded, "x-original-uri": original } = request.headers
      const target = original ?? forwarded ?? request.path.replace(/^.*\/envoy/, "")
      const { requirement } = crm.policy.find(method.toUpperCase(), target)
      const scope = "scope" in requirement ? requirement.scope : assert.fail(target)
      assert.include(answers["403"]?.headers["www-authenticate"], `error="insufficient_scope"`)
      // What the token has already comes after it.
      assert.include(answers["403"]?.headers["www-authenticate"], ` scope="${scope} `)
      assert.strictEqual(answers["200"]?.headers["x-slotkey-scope"], scope)
      assert.include(JSON.stringify(answers["403"]?.json), `"path":"${target.split("?")[0]}"`)
    }
  )
})

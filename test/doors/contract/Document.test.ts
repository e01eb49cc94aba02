import { assert, describe, it, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { catalogue } from "../../../src/domain/catalogue/BuiltInScope.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { Api } from "../../../src/doors/contract/Api.ts"
import { documentedApi } from "../../../src/doors/docs/ApiDocument.ts"
import { type JsonSchema as Schema, sharedSchemas } from "../../../src/doors/docs/DocumentSchemas.ts"
import { words } from "../../../src/doors/docs/MemberWords.ts"
import * as Testing from "../../../src/testing.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { type Answer, serverClient } from "../../support/TestServer.ts"
import { document, misfits, operations } from "./Fixture.ts"

const Apart = Testing.layer({ BASE_URL: "https://api.slotkey.test", AUTH_URL: "https://app.slotkey.test" }).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

layer(Apart)("the OpenAPI document", (it) => {
  it.effect("is valid, and names the addresses of the server that serves it", () =>
    Effect.gen(function*() {
      const { json, status } = yield* (yield* serverClient).ask("/openapi.json")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(yield* Effect.promise(() => new Validator().validate(json)), { valid: true })

      const served = documentedApi(builtIn(), {
        authUrl: "https://app.slotkey.test",
        baseUrl: "https://api.slotkey.test"
      })
      assert.deepStrictEqual(json, JSON.parse(JSON.stringify(OpenApi.fromApi(served))))
    }))
})

const schemes = document.components.securitySchemes

describe("its security", () => {
  it("is OAuth 2.0 with every scope, at the addresses of the server", () => {
    const { securitySchemes } = OpenApi.fromApi(
      documentedApi(builtIn(), { authUrl: "https://app.slotkey.test", baseUrl: "https://api.slotkey.test" })
    ).components
    const { slotkey } = JSON.parse(JSON.stringify(securitySchemes))
    assert.strictEqual(slotkey.type, "oauth2")
    const { scopes, ...addresses } = slotkey.flows.authorizationCode
    assert.deepStrictEqual(addresses, {
      authorizationUrl: "https://app.slotkey.test/auth/oauth2/authorize",
      tokenUrl: "https://api.slotkey.test/v2/auth/oauth2/token",
      refreshUrl: "https://api.slotkey.test/v2/auth/oauth2/token"
    })
    assert.deepStrictEqual(Object.keys(scopes), [...catalogue])
  })

  it("is declared wherever it is required", () => {
    for (const { name, operation } of operations) {
      for (const scheme of operation.security.flatMap((requirement) => Object.keys(requirement))) {
        assert.property(schemes, scheme, name)
      }
    }
    assert.deepStrictEqual(document.paths["/v2/me"]?.get?.security, [{ slotkey: ["PROFILE_READ"] }])
    // A key that has leaked makes no other.
    assert.deepStrictEqual(document.paths["/v2/api-keys"]?.post?.security, [{ session: [] }])
  })

  it("names the cookie that browsers take at this address", () => {
    const at = (url: string) =>
      OpenApi.fromApi(documentedApi(builtIn(), { authUrl: url, baseUrl: url })).components.securitySchemes
    assert.deepInclude(at("https://slotkey.test")["session"], { in: "cookie", name: "__Host-slotkey" })
    assert.deepInclude(at("http://localhost:3000")["session"], { in: "cookie", name: "slotkey" })
  })
})

describe("its words", () => {
  const raw = OpenApi.fromApi(Api)
  const places = new Array<{ readonly owner: string; readonly name: string; readonly schema: Schema }>()
  const collect = (owner: string, { anyOf = [], items, properties = {} }: Schema): void => {
    for (const [name, schema] of Object.entries(properties)) {
      places.push({ owner, name, schema })
      collect(owner, schema)
    }
    for (const schema of [...anyOf, ...(items === undefined ? [] : [items])]) collect(owner, schema)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) collect(name, schema)
  for (const { operation: { operationId, requestBody, responses } } of operations) {
    for (const { content = {} } of [...Object.values(responses), ...(requestBody === undefined ? [] : [requestBody])]) {
      for (const { schema } of Object.values(content)) collect(operationId, schema)
    }
  }

  it("say of every parameter and of every member what it means", () => {
    for (const { name, operation } of operations) {
      for (const parameter of operation.parameters) {
        const { description } = { ...parameter.schema, ...parameter }
        assert.isString(description, `${name}: ${parameter.name}`)
      }
    }
    for (const { name, owner, schema } of places) assert.isString(schema.description, `${owner}.${name}`)
  })

  it("are of members that there are", () => {
    const known = new Set(places.flatMap(({ name, owner }) => [name, `${owner}.${name}`]))
    assert.deepStrictEqual(Object.keys(words).filter((key) => !known.has(key)), [])
  })

  it("say of every moment that it is one, and no more of numbers than holds", () => {
    for (const { name, owner, schema } of places) {
      const isMoment = /(^at|At|^since|Since|^until|Until|^timestamp)$/.test(name)
      const formats = [schema, ...schema.anyOf ?? []].flatMap(({ format }) => format === undefined ? [] : [format])
      assert.deepStrictEqual(formats, isMoment ? ["date-time"] : [], `${owner}.${name}`)
    }
    assert.notInclude(JSON.stringify(document), String(Number.MAX_SAFE_INTEGER))
    const [limit] = document.paths["/v2/oauth-clients"]?.get?.parameters ?? []
    assert.deepInclude(limit?.schema, { type: "integer", minimum: 1, default: 250 })
  })

  it("are under the names of the contract, each of which stands for one schema", () => {
    for (const [key, schema] of Object.entries(raw.components.schemas)) {
      const [[name = "", shared] = []] = Object.entries(sharedSchemas(builtIn(), { [key]: schema }))
      assert.notMatch(name, /Encoded$|_\d+$/)
      assert.deepStrictEqual(document.components.schemas[name], shared, key)
    }
    assert.notInclude(JSON.stringify(document), "\"_tag\"")
  })
})

describe("its requests", () => {
  it("may have more parameters where they are ignored, and nowhere else", () => {
    const isClosed = (name: string) => "additionalProperties" in (document.components.schemas[name] ?? {})
    assert.deepStrictEqual(["TokenRequest", "AboutToken"].map(isClosed), [false, false])
    assert.deepStrictEqual(["Registration", "ClientEdit", "IdentityProfile"].map(isClosed), [true, true, true])
  })
})

describe("its servers", () => {
  const pages = [
    "/auth/oauth2/authorize",
    "/connections",
    "/connections/apps/{id}",
    "/connections/apps/{id}/more",
    "/connections/apps/{id}/end",
    "/connections/disconnect",
    "/connections/unused"
  ]
  const serversOf = (authUrl: string) => {
    const { paths, servers } = OpenApi.fromApi(
      documentedApi(builtIn(), { authUrl, baseUrl: "https://api.slotkey.test" })
    )
    const apart = Object.entries(paths).flatMap(([path, item]) => "servers" in item ? [[path, item.servers]] : [])
    return { apart, servers }
  }

  it("are the API, and for pages the web application where it is another", () => {
    const app = [{ url: "https://app.slotkey.test", description: "The web application" }]
    assert.deepStrictEqual(serversOf("https://app.slotkey.test"), {
      servers: [{ url: "https://api.slotkey.test", description: "The API" }],
      apart: pages.map((path) => [path, app])
    })
  })

  it("are one where both have one address", () => {
    assert.deepStrictEqual(serversOf("https://api.slotkey.test").apart, [])
  })
})

describe("a comparison with the document", () => {
  const [me] = operations.filter(({ name }) => name === "GET /v2/me")
  const refused: Answer = {
    status: 401,
    headers: new Headers({ "content-type": "application/json", "www-authenticate": "Bearer" }),
    text: "",
    json: {
      status: "error",
      timestamp: "1970-01-01T00:00:00.000Z",
      path: "/v2/me",
      requestId: "1",
      error: { code: "invalid_token", message: "Expired.", details: [] }
    }
  }
  const faultsOf = (changes: Partial<Answer>) => me === undefined ? [] : misfits(me, { ...refused, ...changes })

  it("finds what an answer has too much, what it lacks, and what is undocumented", () => {
    assert.deepStrictEqual(faultsOf({}), [])
    assert.lengthOf(faultsOf({ json: { ...refused.json, more: 1 } }), 1)
    assert.lengthOf(faultsOf({ json: {} }), 5)
    assert.lengthOf(faultsOf({ headers: new Headers({ "content-type": "application/json" }) }), 1)
    assert.lengthOf(
      faultsOf({ headers: new Headers({ "content-type": "text/html", "www-authenticate": "Bearer" }) }),
      1
    )
    assert.lengthOf(faultsOf({ status: 418 }), 1)
  })
})

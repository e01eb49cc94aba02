import { Schema } from "effect"
import type { OpenApi } from "effect/http-api"
import { builtIn, type Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { exampleCall, scopesOf } from "../../domain/catalogue/ScopeMap.ts"
import type { Endpoint } from "../../domain/operations/EndpointList.ts"
import { cataloguePath } from "../resource/CatalogueDocument.ts"
import recorded from "./Examples.data.json" with { type: "json" }

// Requests that the tests of the contract have sent to a server, and its answers to them. They are written by
// `UPDATE_DOCS=1 npx vitest run test/doors/contract`, and tests hold them to the contract and to the answers of today.

const Texts = Schema.Record(Schema.String, Schema.String)

/** A request, whose path has values in the place of its parameters. */
const ExampleRequest = Schema.Struct({
  path: Schema.String,
  headers: Texts,
  /** Body, as a form or as JSON. */
  form: Schema.optionalKey(Texts),
  json: Schema.optionalKey(Schema.Unknown)
})
type ExampleRequest = typeof ExampleRequest.Type

const ExampleAnswer = Schema.Struct({
  /** Headers of which the contract speaks. */
  headers: Texts,
  json: Schema.optionalKey(Schema.Unknown)
})
export type ExampleAnswer = typeof ExampleAnswer.Type

/** A request to an operation that succeeds, and an answer of each status, whatever the request. */
export const Example = Schema.Struct({
  request: ExampleRequest,
  answers: Schema.Record(Schema.String, ExampleAnswer)
})
export type Example = typeof Example.Type

const examples = new Map(Object.entries(Schema.decodeUnknownSync(Schema.Record(Schema.String, Example))(recorded)))

/** Example of an operation, in the words of this catalogue; `path` is the contract's. */
export const exampleOf = (catalogue: Catalogue, method: string, path: string): Example | undefined => {
  const example = examples.get(`${method.toUpperCase()} ${path}`)
  return example && builtIn().names.some((name) => !catalogue.isScope(name))
    ? translated(catalogue, method.toUpperCase(), example)
    : example
}

/** An example that was recorded with the built-in catalogue, as it is with this one. */
const translated = (catalogue: Catalogue, method: string, example: Example): Example | undefined => {
  const { api, isScope, isWrite, lasting } = catalogue
  const before = builtIn()
  const call = callIn(method, example.request)
  const operation = call && catalogue.policy.endpoints.find((endpoint) => isSimple(endpoint, call.method))
  // Of a method that no operation has, nothing can be shown, and no more of the built-in catalogue.
  if (call !== undefined && operation === undefined || example.request.path === cataloguePath) return undefined

  const needed = operation && scopesOf(operation)[0]
  const neededBefore = example.answers["200"]?.headers["x-slotkey-scope"]

  /** Scope that the operation needs in the place of the one that was needed; another stands for each other one. */
  const standsFor = (name: string): string => {
    if (isScope(name) || !before.isScope(name)) return name
    if (needed !== undefined && name === neededBefore) return needed
    const others = lasting.filter((other) => other !== needed)
    const alike = others.filter((other) => isWrite(other) === before.isWrite(name))
    const all = alike.length === 0 ? others : alike
    return all[before.names.indexOf(name) % all.length] ?? name
  }
  const operationLike = (method: string): string => {
    const { endpoints } = catalogue.policy
    const found = endpoints.find((endpoint) => isSimple(endpoint, method)) ?? endpoints[0]
    return found === undefined ? `${method} /` : `${found.method} ${found.path}`
  }
  const text = encode(example)
    .replaceAll(/"operation":"([A-Z]+) [^"]*"/g, (_, method) => `"operation":${JSON.stringify(operationLike(method))}`)
    .replaceAll(/(?<![A-Z_])[A-Z]+(?:_[A-Z]+)+(?![A-Z_])/g, standsFor)
    .replaceAll(JSON.stringify(before.api.name), JSON.stringify(api.name))
  return decode(call && operation ? text.replaceAll(call.path, exampleCall(operation)) : text)
}

/** Call that a gateway asks about, if the request is of one. */
const callIn = (method: string, { headers, path }: ExampleRequest) => {
  const target = headers["x-original-uri"] ?? headers["x-forwarded-uri"] ?? /\/check\/envoy(\/.*)$/.exec(path)?.[1]
  return target === undefined ? undefined : {
    method: headers["x-original-method"] ?? headers["x-forwarded-method"] ?? method,
    path: target.split("?")[0] ?? ""
  }
}

/** Tests if an operation has the method, and needs one scope. */
const isSimple = (endpoint: Endpoint, method: string): boolean =>
  endpoint.method === method && endpoint.requirement._tag === "Scope" && scopesOf(endpoint).length === 1

const encode = Schema.encodeSync(Schema.fromJsonString(Example))
const decode = Schema.decodeSync(Schema.fromJsonString(Example))

/** Value of a parameter in a request; `path` is the contract's. */
export const valueOf = (
  { in: place, name, schema }: OpenApi.OpenAPISpecParameter,
  path: string,
  request: ExampleRequest
): unknown => {
  const [sent = "", query = ""] = request.path.split("?")
  switch (place) {
    case "path": {
      const names = path.split("/")
      const at = names.indexOf(`{${name}}`)
      // The last one may stand for several segments.
      return sent.split("/").slice(at, at + 1 === names.length ? undefined : at + 1).join("/")
    }
    case "query": {
      const value = new URLSearchParams(query).get(name) ?? undefined
      return value !== undefined && "type" in schema && schema.type === "integer" ? Number(value) : value
    }
    case "header":
      return request.headers[name]
    case "cookie":
      return undefined
  }
}

import addFormats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { OpenApi } from "effect/http-api"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { documentedApi } from "../../../src/doors/docs/ApiDocument.ts"
import type { Answer } from "../../support/TestServer.ts"

/** OpenAPI document of the server under test. */
export const document = OpenApi.fromApi(
  documentedApi(builtIn(), { authUrl: "https://slotkey.test", baseUrl: "https://slotkey.test" })
)

const methods = ["get", "post", "put", "patch", "delete"] as const

/** Every operation of the document, named as `GET /v2/me`. */
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method]
    return operation === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, method, path, operation }]
  })
)

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addSchema(document, "openapi")

export type Operation = (typeof operations)[number]

/** Deviations of an answer from what the document says about its status; empty if there are none. */
export const misfits = ({ method, operation, path }: Operation, { headers, json, status, text }: Answer) => {
  const response = operation.responses[status]
  if (response === undefined) return [`answers ${status}, which is not documented: ${text}`]
  const place = ["paths", path, method, "responses", String(status)]
  const { content = {} } = response

  const type = headers.get("content-type")?.split(";")[0] ?? ""
  const body = Object.keys(content).length === 0
    ? text === "" ? [] : ["has a body, but none is documented"]
    : type in content
    ? faults([...place, "content", type, "schema"], type === "application/json" ? json : text)
    : [`is ${type}, which is not documented`]

  const missing = Object.entries(response.headers ?? {}).flatMap(([name, { required }]) => {
    const value = headers.get(name)
    if (value === null) return required ? [`has no header ${name}`] : []
    return faults([...place, "headers", name, "schema"], value).map((fault) => `has the header ${name}: ${fault}`)
  })
  return [...body, ...missing]
}

/** Words of an error: the API tells it in full sentences, an OAuth endpoint in a phrase for the app's developer. */
export const hasTheWordsOfItsDoor = ({ json }: Pick<Answer, "json">): boolean => {
  const { error, error_description: phrase } = json
  if (typeof error === "string") return /^[a-z].*[^.]$/.test(String(phrase))
  return error === undefined || /^[A-Z\d].*\.$/.test(Object(error).message)
}

/** Deviations of a request's body from what the document says, in each of its media types. */
export const requestMisfits = ({ method, operation: { requestBody }, path }: Operation, body: unknown) =>
  Object.keys(requestBody?.content ?? {}).flatMap((type) =>
    faults(["paths", path, method, "requestBody", "content", type, "schema"], body)
  )

/** Deviations of a value from the schema at this place of the document; empty if it fits. */
const faults = (place: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> => {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")
  const fits = ajv.compile({ $ref: `openapi#/${pointer}` })
  if (fits(value)) return []
  return (fits.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`
  )
}

import { Record } from "effect"
import { OpenApi } from "effect/http-api"
import packageJson from "../../../package.json" with { type: "json" }
import { builtIn, type Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Settings } from "../../foundation/config/AppConfig.ts"
import { Api } from "../contract/Api.ts"
import { securitySchemesOf } from "../contract/ClientSecurity.ts"
import { supported } from "../oauth/Supported.ts"
import { cataloguePath } from "../resource/CatalogueDocument.ts"
import { oauth2Scheme } from "../resource/EndpointScope.ts"
import { cookieName } from "../session/SessionCookie.ts"
import { explained, type JsonSchema, sharedSchemas } from "./DocumentSchemas.ts"
import { type Example, exampleOf, valueOf } from "./Examples.ts"

type Addresses = Pick<Settings, "authUrl" | "baseUrl">

/**
 * Contract as the OpenAPI document shows it: with the addresses of this server, and with what holds for many
 * operations.
 */
export const documentedApi = (catalogue: Catalogue, addresses: Addresses) =>
  Api.annotateMerge(OpenApi.annotations({
    version: packageJson.version,
    ...(catalogue.api.name === builtIn().api.name
      ? {}
      : { description: `OAuth 2.0 authorization. ${catalogue.api.name}.` }),
    servers: [{ url: addresses.baseUrl, description: "The API" }],
    transform: (document) => ({
      ...document,
      paths: Record.map(document["paths"], (operations: Operations, path) => ({
        ...serversOf(path, addresses),
        ...Record.map(operations, (operation, method) =>
          complete(catalogue, path, operation, exampleOf(catalogue, method, path)))
      })),
      components: {
        ...document["components"],
        schemas: sharedSchemas(catalogue, document["components"].schemas),
        securitySchemes: securitySchemes(catalogue, addresses)
      }
    })
  }))

type Operations = Readonly<Record<string, Operation>>

interface Operation extends OpenApi.OpenAPISpecOperation {
  readonly parameters: Array<OpenApi.OpenAPISpecParameter & { readonly schema: JsonSchema }>
}

const isApi = (path: string): boolean => path.startsWith("/v2/") || path.startsWith("/.well-known/")

/** The web application may have an address of its own. */
const serversOf = (path: string, { authUrl, baseUrl }: Addresses) =>
  isApi(path) || authUrl === baseUrl ? {} : { servers: [{ url: authUrl, description: "The web application" }] }

/** An operation with its schemas in words, and its example beside each parameter, body and header that it shows. */
const complete = (
  { profileScope }: Catalogue,
  path: string,
  operation: Operation,
  example: Example | undefined
) => {
  const { operationId, parameters, requestBody, responses, security } = operation
  const { answers = {}, request } = example ?? {}
  const explain = ({ schema, ...media }: OpenApi.OpenApiSpecMediaType, shown: unknown) => ({
    ...media,
    schema: explained(operationId, schema),
    ...exampleIn(shown)
  })
  return {
    ...operation,
    // The contract names a scope at the profile alone, as the built-in catalogue has it.
    security: security.map((one) => one["slotkey"]?.length === 1 ? { slotkey: [profileScope] } : one),
    parameters: parameters.map((parameter) => {
      const schema = explained(operationId, parameter.schema)
      return { ...parameter, schema, ...exampleIn(request && valueOf({ ...parameter, schema }, path, request)) }
    }),
    ...(requestBody === undefined ? {} : {
      requestBody: {
        ...requestBody,
        required: !Object.values(requestBody.content).some(({ schema }) => bodyOf(schema) !== schema),
        content: Record.map(
          requestBody.content,
          ({ schema, ...media }) => explain({ ...media, schema: bodyOf(schema) }, request?.form ?? request?.json)
        )
      }
    }),
    responses: Record.map(responses, (response, status) => {
      const { headers = {}, json } = answers[status] ?? {}
      return {
        ...response,
        description: descriptionOf(response, status),
        ...(response.content === undefined ? {} : {
          content: Record.map(
            response.content,
            (media, type) => explain(media, type === "application/json" ? json : undefined)
          )
        }),
        ...unlessEmpty(
          "headers",
          Record.map(
            { ...headersOf(path, Number(status)), ...response.headers },
            (header, name) => ({ ...header, ...exampleIn(headers[name]) })
          )
        )
      }
    })
  }
}

const exampleIn = (example: unknown) => example === undefined ? {} : { example }

/** A page says by itself what is refused. */
const descriptionOf = ({ content = {}, description }: OpenApi.OpenApiSpecResponse, status: string): string =>
  "text/html" in content ? description : refusals[status] ?? description

const refusals: Readonly<Record<string, string>> = {
  400: "The request does not fit, and has changed nothing",
  401: "It needs credentials, or those that came are not valid",
  403: "The caller may not do this",
  404: "It is not there, or not for this caller",
  409: "It has changed since the caller looked, or a rule forbids it",
  413: "The body is too large",
  415: "The body has a media type that is not read here",
  429: "There were too many attempts; a later one may succeed",
  500: "The server made a mistake",
  503: "The server cannot answer just now; the same request may succeed later"
}

const unlessEmpty = (name: string, members: object) => Object.keys(members).length === 0 ? {} : { [name]: members }

/** Headers that follow from the status and the kind of endpoint. */
const headersOf = (path: string, status: number): Readonly<Record<string, object>> => ({
  ...(status < 400 ? { "cache-control": freshnessOf(path) } : {}),
  ...(status === 201 ? { location: header("The address of what was created") } : {}),
  ...(status === 303 ? { location: header("Where the browser goes") } : {}),
  ...(status === 401 && isApi(path) ? { "www-authenticate": header("The credentials that are accepted") } : {}),
  ...(status === 429 || status === 503 ? { "retry-after": header("Seconds until it is worth another try") } : {})
})

const header = (description: string, schema = {}) => ({
  description,
  required: true,
  schema: { type: "string", ...schema }
})

const freshnessOf = (path: string) =>
  path === cataloguePath ? asked : path.startsWith("/.well-known/") ? kept : notStored

const notStored = header("The answer is for the caller alone", { const: "no-store" })
const kept = header("How many seconds the answer may be kept", { pattern: "^public, max-age=[0-9]+$" })
const asked = header("Caches that keep the answer ask each time whether it has changed", { const: "no-cache" })

const securitySchemes = (catalogue: Catalogue, addresses: Addresses) => ({
  slotkey: oauth2Scheme(catalogue, addresses),
  ...securitySchemesOf(supported.clientAuthenticationMethods),
  ...securitySchemesOf(supported.introspectionAuthenticationMethods),
  apiKey: { type: "http", scheme: "bearer", description: "An API key of the account." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: cookieName(addresses),
    description: "A browser that is signed in. A request to the management API that changes something needs the " +
      "session's CSRF token in the header X-CSRF-Token."
  }
})

/** A body that may be missing is `null` to the code of this server; the document has what it is where there is one. */
const bodyOf = (schema: JsonSchema): JsonSchema => {
  const [body, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== "null")
  return body === undefined || others.length > 0 || schema.anyOf?.length === 1 ? schema : body
}

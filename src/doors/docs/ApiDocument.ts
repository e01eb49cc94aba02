import { Record } from "effect"
import { OpenApi } from "effect/http-api"
import packageJson from "../../../package.json" with { type: "json" }
import type { Settings } from "../../foundation/config/AppConfig.ts"
import { cookieName } from "../account/SessionCookie.ts"
import { Api } from "../contract/Api.ts"
import { securitySchemesOf } from "../contract/ClientSecurity.ts"
import { supported } from "../oauth/Supported.ts"
import { oauth2Scheme } from "../resource/EndpointScope.ts"
import { exampleOf } from "./Examples.ts"
import { withExample } from "./WithExample.ts"

type Addresses = Pick<Settings, "authUrl" | "baseUrl">

/** The contract as the OpenAPI document shows it: with the addresses of this server, and with what holds for many operations. */
export const documentedApi = (addresses: Addresses) =>
  Api.annotateMerge(OpenApi.annotations({
    version: packageJson.version,
    servers: [{ url: addresses.baseUrl, description: "The API" }],
    transform: (document) => ({
      ...document,
      paths: Record.map(document["paths"], (operations: Operations, path) => ({
        ...serversOf(path, addresses),
        ...Record.map(operations, (operation, method) =>
          withExample(exampleOf(method, path), path, complete(path, operation)))
      })),
      components: { ...document["components"], securitySchemes: securitySchemes(addresses) }
    })
  }))

type Operations = Readonly<Record<string, OpenApi.OpenAPISpecOperation>>

const isApi = (path: string): boolean => path.startsWith("/v2/") || path.startsWith("/.well-known/")

/** The web application may have an address of its own. */
const serversOf = (path: string, { authUrl, baseUrl }: Addresses) =>
  isApi(path) || authUrl === baseUrl ? {} : { servers: [{ url: authUrl, description: "The web application" }] }

const complete = (path: string, operation: OpenApi.OpenAPISpecOperation) => ({
  ...operation,
  responses: Record.map(operation.responses, (response, status) => ({
    ...response,
    ...unlessEmpty("headers", { ...headersOf(path, Number(status)), ...response.headers })
  }))
})

const unlessEmpty = (name: string, members: object) => Object.keys(members).length === 0 ? {} : { [name]: members }

/** The headers that follow from the status and the kind of endpoint. */
const headersOf = (path: string, status: number) => ({
  ...(status < 400 ? { "cache-control": path.startsWith("/.well-known/") ? kept : notStored } : {}),
  ...(status === 303 ? { location: header("Where the browser goes") } : {}),
  ...(status === 401 && isApi(path) ? { "www-authenticate": header("The credentials that are accepted") } : {}),
  ...(status === 429 || status === 503 ? { "retry-after": header("Seconds until it is worth another try") } : {})
})

const header = (description: string, schema = {}) => ({
  description,
  required: true,
  schema: { type: "string", ...schema }
})

const notStored = header("The answer is for the caller alone", { const: "no-store" })
const kept = header("How many seconds the answer may be kept", { pattern: "^public, max-age=[0-9]+$" })

const securitySchemes = (addresses: Addresses) => ({
  slotkey: oauth2Scheme(addresses),
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

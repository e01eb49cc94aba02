import type { ClientAuthenticationMethod } from "../oauth/ClientAuthenticationMethod.ts"

type Methods = ReadonlyArray<ClientAuthenticationMethod<unknown>>

/** Security requirements of an endpoint that takes these methods: one of the headers, or parameters of the body. */
export const securityOf = (methods: Methods) => [
  ...schemesOf(methods).map(({ name }) => ({ [name]: [] })),
  {}
]

/** Security schemes that the requirements name (OpenAPI 3.1 §4.8.27). */
export const securitySchemesOf = (methods: Methods) =>
  Object.fromEntries(schemesOf(methods).map(({ name, ...scheme }) => [name, { type: "http", ...scheme }]))

const schemesOf = (methods: Methods) =>
  methods.flatMap((method) => method.in === "header" ? [method.securityScheme] : [])

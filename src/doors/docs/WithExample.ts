import { Record } from "effect"
import type { OpenApi } from "effect/http-api"
import type { Example, ExampleRequest } from "./Examples.ts"

/** An operation of the OpenAPI document with its example beside each parameter, body and header that it shows. */
export const withExample = (
  example: Example | undefined,
  path: string,
  operation: OpenApi.OpenAPISpecOperation
): OpenApi.OpenAPISpecOperation => {
  if (example === undefined) return operation
  const { answers, request } = example
  const { requestBody } = operation
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => ({
      ...parameter,
      ...exampleIn(inType(parameter.schema, valueOf(parameter, path, request)))
    })),
    ...(requestBody === undefined ? {} : {
      requestBody: {
        ...requestBody,
        content: Record.map(requestBody.content, (media) => ({ ...media, ...exampleIn(request.form ?? request.json) }))
      }
    }),
    responses: Record.map(operation.responses, (response, status) => {
      const answer = answers[status]
      return answer === undefined ? response : {
        ...response,
        ...(response.content === undefined ? {} : {
          content: Record.map(
            response.content,
            (media, type) => type === "application/json" ? { ...media, ...exampleIn(answer.json) } : media
          )
        }),
        ...(response.headers === undefined ? {} : {
          headers: Record.map(response.headers, (header, name) => ({ ...header, ...exampleIn(answer.headers[name]) }))
        })
      }
    })
  }
}

const exampleIn = (example: unknown) => example === undefined ? {} : { example }

/** A value of an address in the type that its schema names. */
const inType = (schema: object, value: string | undefined): unknown =>
  value !== undefined && "type" in schema && schema.type === "integer" ? Number(value) : value

const valueOf = (
  parameter: OpenApi.OpenAPISpecParameter,
  template: string,
  { headers, path }: ExampleRequest
): string | undefined => {
  const [place = "", query = ""] = path.split("?")
  switch (parameter.in) {
    case "path": {
      const names = template.split("/")
      const at = names.indexOf(`{${parameter.name}}`)
      // The last one may stand for several segments.
      return place.split("/").slice(at, at + 1 === names.length ? undefined : at + 1).join("/")
    }
    case "query":
      return new URLSearchParams(query).get(parameter.name) ?? undefined
    case "header":
      return headers[parameter.name]
    case "cookie":
      return undefined
  }
}

import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import { curlRequest } from "../../foundation/web/CurlCommand.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Answer, Document, Parameter, Placed, Shape } from "./DocumentModel.ts"
import { type Example, type ExampleAnswer, exampleOf } from "./Examples.ts"
import { scopePath } from "./ScopeMapView.ts"
import { kindOf, memberOf, membersOf, prose, resolve } from "./ShapeView.ts"

/** One operation: what it does, what it takes and answers, and an example of both. A body is shown where it is sent. */
export const operationView = (
  catalogue: Catalogue,
  operation: Placed,
  schemas: Document["components"]["schemas"]
): Html => {
  const { description, method, operationId, path, requestBody, responses, summary } = operation
  const example = exampleOf(catalogue, method, path)
  const [, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<article class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${summary}</h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<div class="columns">
<div>
${description === undefined ? nothing : html`<p>${prose(description)}</p>`}
<p class="muted">Credentials: ${accessOf(catalogue, operation)}.</p>
${parameters(operation.parameters)}
${
    body === undefined ? nothing : html`<h4>Body</h4>
<p class="muted">${Object.keys(requestBody?.content ?? {}).join(" or ")}</p>
${bodyOf(resolve(body.schema, schemas))}`
  }
${successes.map(([status, answer]) => success(status, answer))}
${
    refusals.length === 0 ? nothing : html`<details><summary>Refusals</summary>
<ul class="refusals">${
      refusals.map(([status, answer]) => refusal(status, answer, example?.answers[status]))
    }</ul></details>`
  }
</div>
<div>${example === undefined ? nothing : exampleView(operation, example, successes.map(([status]) => status))}</div>
</div>
</article>`
}

const accessOf = ({ isScope }: Catalogue, { security }: Placed): Html =>
  html`${
    security.map((requirement, at) => {
      const [name] = Object.keys(requirement)
      const separator = at === 0 ? "" : " or "
      if (name === undefined) return html`${separator}none`
      const scopes = (requirement[name] ?? []).filter(isScope)
      return html`${separator}<a href="#security-${name}">${name}</a>${
        scopes.map((scope, at) =>
          html` ${at === 0 ? "with" : "and"} <a href="${scopePath(scope)}"><code>${scope}</code></a>`
        )
      }`
    })
  }${security.length === 0 ? "none" : nothing}`

const parameters = (all: ReadonlyArray<Parameter>): Html =>
  all.length === 0 ? nothing : html`<h4>Parameters</h4>
<dl class="members">${
    all.map(({ description, in: place, name, required, schema }) =>
      memberOf(
        name,
        schema,
        required,
        [`In the ${place}.`, description ?? schema.description].filter((text) => text !== undefined).join(" ")
      )
    )
  }</dl>`

const success = (status: string, { content = {}, description }: Answer): Html =>
  html`<h4>Answer ${status}</h4>
${isSentence(description) ? html`<p>${prose(description)}</p>` : nothing}
${
    Object.entries(content).map(([type, { schema }]) =>
      type === "application/json" ? bodyOf(schema) : html`<p class="muted">${type}</p>`
    )
  }`

/** Without a description of its own, an answer has the name of its schema. */
const isSentence = (description: string): boolean => description.includes(" ")

const bodyOf = (schema: Shape): Html =>
  schema.properties === undefined ? html`<p>${kindOf(schema)}</p>` : membersOf(schema)

/** A refusal: its code and its message as the example has them, else what the contract says. */
const refusal = (status: string, { content = {}, description }: Answer, example: ExampleAnswer | undefined): Html => {
  const { code, message } = problemOf(example?.json)
  return html`<li><code>${status}</code> ${code === undefined ? nothing : html`<code>${code}</code> `}${
    message ?? ("text/html" in content ? description : "")
  }</li>`
}

/** Code and the message of an error, in the envelope of the API or as RFC 6749 §5.2 has them. */
const problemOf = (json: unknown): { readonly code?: string; readonly message?: string } => {
  if (typeof json !== "object" || json === null || !("error" in json)) return {}
  const { error } = json
  if (typeof error === "string") {
    return { code: error, ...("error_description" in json ? { message: String(json.error_description) } : {}) }
  }
  if (typeof error !== "object" || error === null || !("code" in error) || !("message" in error)) return {}
  return { code: String(error.code), message: String(error.message) }
}

const exampleView = (
  { method, server, summary }: Placed,
  { answers, request }: Example,
  statuses: ReadonlyArray<string>
): Html =>
  html`<h4>Example</h4>
${codeBlock(`Request, ${summary}`, curlRequest({ method, ...request, url: `${server}${request.path}` }))}
${statuses.map((status) => codeBlock(`Answer ${status}, ${summary}`, answerText(status, answers[status])))}`

const answerText = (status: string, answer: ExampleAnswer | undefined): string =>
  [
    `HTTP ${status}`,
    ...Object.entries(answer?.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(answer?.json === undefined ? [] : ["", JSON.stringify(answer.json, null, 2)])
  ].join("\n")

import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { type Document, operationsOf, type Shape } from "./DocumentModel.ts"
import { operationView } from "./OperationView.ts"
import { scopeMapPath } from "./ScopeMapView.ts"
import { kindOf, membersOf, nameOf, prose, referencesOf, resolve } from "./ShapeView.ts"

/** Reference of the API, drawn from its OpenAPI document. */
export const referenceBody = (catalogue: Catalogue, document: Document): Html => {
  const operations = operationsOf(document)
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: `group-${tag.name.toLowerCase().replaceAll(" ", "-")}`,
    operations: operations.filter(({ tags }) => tags.includes(tag.name))
  }))
  return html`<h1>API reference</h1>
<p>${document.info.description} Version ${document.info.version}, at <code>${document.servers[0]?.url}</code>.</p>
<ul>
<li><a href="${scopeMapPath}">Which scope opens which operation</a> of the platform API</li>
<li><a href="/openapi.json">The OpenAPI document</a> of this page, for programs</li>
<li><a href="/playground">The playground</a>, which runs the whole flow and shows each request</li>
</ul>
<nav class="contents" aria-label="Operations">${
    groups.map(({ id, name, operations }) =>
      html`<div><h2><a href="#${id}">${name}</a></h2><ul>${
        operations.map((operation) =>
          html`<li><a href="#${operation.operationId}" title="${operation.method} ${operation.path}">${operation.summary}${
            operations.some((other) => other !== operation && other.summary === operation.summary)
              ? ` by ${operation.method}`
              : ""
          }</a></li>`
        )
      }</ul></div>`
    )
  }</nav>
<section aria-labelledby="credentials"><h2 id="credentials">Credentials</h2>
<dl class="members">${
    Object.entries(document.components.securitySchemes).map(([name, { description }]) =>
      html`<dt id="security-${name}"><code>${name}</code></dt><dd>${prose(description ?? "")}</dd>`
    )
  }</dl></section>
<section aria-labelledby="examples"><h2 id="examples">Examples</h2>
<p>They were recorded by the tests of this server. Ids and times are made up, three dots stand for the rest of a credential
or of a key, and long lists are cut.</p></section>
${
    groups.map(({ description, id, name, operations }) =>
      html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
<p>${prose(description)}</p>
${operations.map((operation) => operationView(catalogue, operation, document.components.schemas))}
</section>`
    )
  }
${schemas(document)}`
}

/** Schemas to which bodies and successful answers refer, directly or not. A body itself is at its operation. */
const schemas = (document: Document): Html => {
  const all = document.components.schemas
  const found = new Map<string, Shape>()
  const add = (shape: Shape): void => {
    for (const name of referencesOf(shape).map(nameOf)) {
      const referred = all[name]
      if (referred === undefined || found.has(name)) continue
      found.set(name, referred)
      add(referred)
    }
  }
  for (const { requestBody, responses } of operationsOf(document)) {
    const successes = Object.entries(responses).filter(([status]) => Number(status) < 400)
    for (const { schema } of Object.values(requestBody?.content ?? {})) add(resolve(schema, all))
    for (const [, { content = {} }] of successes) for (const { schema } of Object.values(content)) add(schema)
  }
  return found.size === 0 ? nothing : html`<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${
    Array.from(found, ([name, shape]) =>
      html`<article class="operation" aria-labelledby="schema-${name}"><h3 id="schema-${name}">${name}</h3>${
        shape.properties === undefined ? html`<p>${kindOf(shape)}</p>` : membersOf(shape)
      }</article>`)
  }</section>`
}

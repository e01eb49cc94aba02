import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import type { Shape } from "./DocumentModel.ts"

/** Members of an object, each with what it holds. */
export const membersOf = ({ anyOf = [], items, properties = {}, required = [] }: Shape): Html => {
  const members = Object.entries(properties)
  if (members.length === 0) return html`${[...anyOf, ...(items === undefined ? [] : [items])].map(membersOf)}`
  return html`<dl class="members">${
    members.map(([name, shape]) => memberOf(name, shape, required.includes(name)))
  }</dl>`
}

/** A named value with what it holds. */
export const memberOf = (name: string, shape: Shape, isRequired: boolean, description = shape.description): Html =>
  html`<dt><code>${name}</code></dt><dd>${kindOf(shape)}${
    isRequired ? nothing : html` <span class="muted">optional</span>`
  }${description === undefined ? nothing : html`<br>${prose(description)}`}${membersOf(shape)}</dd>`

/** Kind of a value in a few words. */
export const kindOf = (
  { $ref, anyOf, const: constant, enum: values, format, items, properties, type }: Shape
): Html => {
  if ($ref !== undefined) return html`<a href="#${anchorOf($ref)}">${nameOf($ref)}</a>`
  if (constant !== undefined) return literal(constant)
  if (values !== undefined) return joined(values.map(literal))
  if (anyOf !== undefined) return joined(anyOf.map(kindOf))
  if (items !== undefined) return html`list of ${kindOf(items)}`
  if (format === "date-time") return html`time (RFC 3339)`
  return html`${properties === undefined ? type ?? "any value" : "object"}`
}

/** Place of a shared schema on the page. */
const anchorOf = (reference: string): string => `schema-${nameOf(reference)}`

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** Schema itself where another one refers to it. */
export const resolve = (shape: Shape, schemas: Readonly<Record<string, Shape>>): Shape =>
  shape.$ref === undefined ? shape : schemas[nameOf(shape.$ref)] ?? shape

/** Shared schemas to which a schema refers itself. */
export const referencesOf = ({ $ref, anyOf = [], items, properties = {} }: Shape): ReadonlyArray<string> => [
  ...($ref === undefined ? [] : [$ref]),
  ...[...anyOf, ...(items === undefined ? [] : [items]), ...Object.values(properties)].flatMap(referencesOf)
]

/** Text in which words between grave accents are code. */
export const prose = (text: string): Html =>
  html`${text.split("`").map((part, at) => at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)}`

const literal = (value: unknown): Html => html`<code>${String(value)}</code>`

const joined = (parts: ReadonlyArray<Html>): Html =>
  html`${parts.map((part, at) => at === 0 ? part : html` or ${part}`)}`

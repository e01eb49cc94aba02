import type { OtlpTracer } from "effect/observability"

type TraceData = OtlpTracer.TraceData
type ScopeSpan = TraceData["resourceSpans"][number]["scopeSpans"][number]
type Span = ScopeSpan["spans"][number]
type Attributes = Span["attributes"]

/**
 * Traces as they leave the process: of all that Effect records, only what is known to be no secret. Addresses carry
 * codes and set-up links in their queries, and the message of an error may quote what was sent.
 */
export const withoutSecrets = ({ resourceSpans }: TraceData): TraceData => ({
  resourceSpans: resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans.map((scope) => ({ ...scope, spans: scope.spans.map(exported) }))
  }))
})

const exported = (span: Span): Span => {
  const errorType = span.events.map(({ attributes }) => textOf(attributes, "exception.type")).find((type) =>
    type !== ""
  )
  const attributes = span.attributes.filter(({ key }) => exportedAttributes.has(key))
  return {
    ...span,
    name: nameOf(span),
    attributes: errorType === undefined ? attributes : [...attributes, text("error.type", errorType)],
    events: span.events.filter(({ name }) => name !== "exception").map((event) => ({ ...event, attributes: [] })),
    status: errorType === undefined ? span.status : { code: span.status.code, message: errorType }
  }
}

/** Effect names a request by its method and a statement by the database, because it knows no more when they begin. */
const nameOf = ({ attributes, name }: Span): string => {
  const [method, route] = [textOf(attributes, "http.request.method"), textOf(attributes, "http.route")]
  if (method !== "" && route !== "") return `${method} ${route}`
  return /^\s*(\w+)/.exec(textOf(attributes, "db.query.text"))?.[1] ?? name
}

/**
 * Names of OpenTelemetry's semantic conventions. The path of a request is not among them, but its route: where an id
 * belongs, a caller may have put a secret by mistake. The text of a statement has `$1` for its values.
 */
const exportedAttributes: ReadonlySet<string> = new Set([
  "db.operation.batch.size",
  "db.query.text",
  "db.system.name",
  "effect.fiber.interrupted",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "messaging.destination.name",
  "messaging.message.id",
  "messaging.operation.name",
  "messaging.system",
  "server.address",
  "server.port",
  "url.scheme"
])

const textOf = (attributes: Attributes, name: string): string =>
  attributes.find(({ key }) => key === name)?.value.stringValue ?? ""

const text = (key: string, stringValue: string): Attributes[number] => ({ key, value: { stringValue } })

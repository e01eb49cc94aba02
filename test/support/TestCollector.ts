import { Effect, type Scope } from "effect"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { eventually } from "./Eventually.ts"
import { listen } from "./Listening.ts"

/** A span as the collector has received it (opentelemetry-proto, `trace.proto`). */
export interface ReceivedSpan {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

/** A collector of traces that takes OTLP in JSON over HTTP. */
export interface TestCollector {
  readonly url: string
  /** How it answers; `stalls` never does. */
  mood: "takes" | "refuses" | "stalls"
  readonly spans: Array<ReceivedSpan>
  /** Every request, byte for byte. */
  readonly requests: Array<{ readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }>
  /** Waits for a span. */
  received(is: (span: ReceivedSpan) => boolean): Effect.Effect<ReceivedSpan>
}

export const make: Effect.Effect<TestCollector, never, Scope.Scope> = Effect.gen(function*() {
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    collector.requests.push({ path: request.url ?? "", headers: request.headers, body })
    answer(response, collector.mood)
    if (collector.mood === "takes") collector.spans.push(...spansOf(JSON.parse(body)))
  })
  const port = yield* listen(server)
  const collector: TestCollector = {
    url: `http://127.0.0.1:${port}`,
    mood: "takes",
    spans: [],
    requests: [],
    received: (is) =>
      Effect.andThen(
        eventually(Effect.sync(() => collector.spans.some(is))),
        Effect.suspend(() => Effect.fromNullishOr(collector.spans.find(is))).pipe(Effect.orDie)
      )
  }
  return collector
})

const answer = (response: ServerResponse, mood: TestCollector["mood"]): void => {
  if (mood === "takes") response.writeHead(200, { "content-type": "application/json" }).end("{}")
  if (mood === "refuses") response.writeHead(401).end()
}

interface Payload {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: ReadonlyArray<{
      readonly spans: ReadonlyArray<Omit<ReceivedSpan, "attributes" | "service"> & { readonly attributes: Attributes }>
    }>
  }>
}

type Attributes = ReadonlyArray<{
  readonly key: string
  readonly value: Readonly<Record<string, string | number | boolean>>
}>

const spansOf = ({ resourceSpans }: Payload): ReadonlyArray<ReceivedSpan> =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)["service.name"])
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, service, attributes: valuesOf(span.attributes) }))
    )
  })

const valuesOf = (attributes: Attributes): ReceivedSpan["attributes"] =>
  Object.fromEntries(attributes.flatMap(({ key, value }) => Object.values(value).map((value) => [key, value])))

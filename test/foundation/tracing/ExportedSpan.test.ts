import { assert, describe, it } from "@effect/vitest"
import type { OtlpTracer } from "effect/observability"
import { withoutSecrets } from "../../../src/foundation/tracing/ExportedSpan.ts"

type Span = OtlpTracer.TraceData["resourceSpans"][number]["scopeSpans"][number]["spans"][number]

const attributes = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))

const exported = (changes: Partial<Span>) => {
  const span: Span = {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    parentSpanId: undefined,
    name: "GET",
    kind: 2,
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    attributes: [],
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: { code: 1 },
    links: [],
    droppedLinksCount: 0,
    ...changes
  }
  const resource = { attributes: [], droppedAttributesCount: 0 }
  const data = withoutSecrets({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "test" }, spans: [span] }] }]
  })
  const [sent] = data.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  return sent ?? assert.fail("no span")
}

describe("A span that leaves the process", () => {
  it("has the attributes on the list alone", () => {
    const kept = { "http.request.method": "GET", "http.route": "/setup" }
    const { attributes: sent, name } = exported({
      attributes: attributes({
        ...kept,
        "url.full": "https://slotkey.test/setup?token=hunter2",
        "url.query": "token=hunter2",
        "http.request.header.authorization": "Bearer hunter2",
        "client.address": "192.0.2.1",
        "user_agent.original": "hunter2"
      })
    })
    assert.deepStrictEqual(sent, attributes(kept))
    assert.strictEqual(name, "GET /setup")
  })

  it.each([
    { where: "no route answers", route: {}, name: "GET" },
    { where: "an id belongs", route: { "http.route": "/review/:id" }, name: "GET /review/:id" }
  ])("has no path, where a secret may stand that came where $where", ({ name, route }) => {
    const sent = exported({
      attributes: attributes({ "http.request.method": "GET", ...route, "url.path": "/review/hunter2" })
    })
    assert.deepStrictEqual(
      [sent.name, sent.attributes],
      [name, attributes({ "http.request.method": "GET", ...route })]
    )
  })

  it("has the type of an error without its words", () => {
    const exception = {
      "exception.type": "SqlError",
      "exception.message": "hunter2",
      "exception.stacktrace": "Error: hunter2\n    at main"
    }
    const event = (name: string, values: Readonly<Record<string, string>>) => ({
      name,
      attributes: attributes(values),
      timeUnixNano: "1",
      droppedAttributesCount: 0
    })
    const sent = exported({
      status: { code: 2, message: "hunter2" },
      events: [event("effect.sql.transaction.rollback", { why: "hunter2" }), event("exception", exception)]
    })
    assert.notInclude(JSON.stringify(sent), "hunter2")
    assert.deepStrictEqual(sent.status, { code: 2, message: "SqlError" })
    assert.deepStrictEqual(sent.attributes, attributes({ "error.type": "SqlError" }))
    assert.deepStrictEqual(sent.events.map(({ name }) => name), ["effect.sql.transaction.rollback"])
  })

  it("is named after its statement", () => {
    const { name } = exported({ name: "postgresql", attributes: attributes({ "db.query.text": "\n  SELECT 1" }) })
    assert.strictEqual(name, "SELECT")
  })
})

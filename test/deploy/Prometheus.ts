import { Effect, Schema } from "effect"
import * as Gateway from "../support/Gateway.ts"
import { labels, selectors } from "./Rules.ts"

/**
 * What an expression asks for and Prometheus does not have: series without a sample, and labels by which it adds up and
 * that no series has.
 */
export const missing = (port: number, expression: string) => {
  const query = (text: string) =>
    Effect.map(
      Gateway.send(port, `/api/v1/query?query=${encodeURIComponent(text)}`),
      ({ body }) => Schema.decodeUnknownSync(Answer)(body)
    )
  return Effect.gen(function*() {
    const { status } = yield* query(expression)
    if (status !== "success") return [`${expression}: ${status}`]
    const known = new Set<string>()
    const absent: Array<string> = []
    for (const selector of selectors(expression)) {
      const { data } = yield* query(selector)
      if (data === undefined || data.result.length === 0) absent.push(selector)
      for (const { metric } of data?.result ?? []) for (const label of Object.keys(metric)) known.add(label)
    }
    return [...absent, ...labels(expression).filter((label) => !known.has(label)).map((label) => `label ${label}`)]
  })
}

const Answer = Schema.fromJsonString(Schema.Struct({
  status: Schema.String,
  data: Schema.optionalKey(Schema.Struct({
    result: Schema.Array(Schema.Struct({ metric: Schema.Record(Schema.String, Schema.String) }))
  }))
}))

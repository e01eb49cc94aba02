import { Effect, Schema } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import * as Gateway from "../support/Gateway.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import { read } from "./Dockerfile.ts"
import { labels, selectors } from "./Rules.ts"

/**
 * Starts Prometheus with its configuration in `deploy`, in which the addresses of the processes are replaced by those on
 * these ports, and which asks them every second. Answers its own port.
 */
export const start = Effect.fnUntraced(function*(operators: ReadonlyArray<number>) {
  const folder = yield* temporaryFolder
  const port = yield* freePort
  const config = read("deploy/prometheus.yml").replaceAll("15s", "1s").replace("/etc/prometheus/", `${folder}/`)
  const targets = [...config.matchAll(/"[\w-]+:\d+"/g)].map(([target]) => target)
  writeFileSync(
    join(folder, "prometheus.yml"),
    targets.reduce((text, target, i) => text.replace(target, `"127.0.0.1:${operators[i]}"`), config)
  )
  writeFileSync(join(folder, "rules.yml"), read("docs/operations/rules.yml"))
  yield* Gateway.run("prometheus", [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=error"
  ], folder)
  yield* eventually(
    Gateway.send(port, "/-/ready").pipe(Effect.map(({ status }) => status === 200), Effect.orElseSucceed(() => false))
  )
  return port
})

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

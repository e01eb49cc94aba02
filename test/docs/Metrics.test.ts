import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OperatorServices } from "../../src/app/Operator.ts"
import { Expiry } from "../../src/foundation/jobs/kinds/Expiry.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { OperatorRoutes } from "../../src/foundation/operator/OperatorRoutes.ts"
import * as Operator from "../../workers/Operator.ts"
import { Jobs, Workers } from "../../workers/Workers.ts"
import { assertTable } from "../support/DocumentTable.ts"
import { eventually } from "../support/Eventually.ts"
import { httpSender } from "../support/HttpSender.ts"
import { layer as server, LiveServer, newConnection } from "../support/LiveServer.ts"
import { areAvailable, openMetricsComplaints, promtoolComplaints } from "../support/MetricsTools.ts"
import * as PreviousServer from "../support/PreviousServer.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as TestRedis from "../support/TestRedis.ts"

/**
 * A server with its workers. Its settings are those of embedded mode, so its jobs need another store where it is not.
 */
const Process = Layer.unwrap(Effect.gen(function*() {
  const env = TestDatabase.isServer ? { REDIS_URL: (yield* TestRedis.make).url } : {}
  const { settings } = yield* PreviousServer.make
  return Layer.provideMerge(Layer.mergeAll(Jobs, OperatorServices), server({ ...settings, ...env }))
}))

layer(Process, { excludeTestServices: true })("docs/operations/metrics.md", (it) => {
  /** Metrics of a process in which everything that is counted has happened. */
  const exposed = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const outbox = yield* Outbox
    const { url } = yield* LiveServer
    const send = yield* httpSender(Layer.mergeAll(OperatorRoutes, Operator.layer("degraded")))
    const ask = (accept: string) =>
      Effect.flatMap(send("/metrics", { headers: { accept } }), (response) => Effect.promise(() => response.text()))
    yield* newConnection()
    yield* Effect.promise(() => fetch(`${url}/v2/me`))
    yield* Effect.forkScoped(Layer.launch(Workers))
    yield* sql`INSERT INTO setup_links (digest, expires_at) VALUES ('', clock_timestamp() - interval '1 year')`
    yield* outbox.publish(Expiry.make({}))
    yield* eventually(
      Effect.map(
        ask("text/plain"),
        (text) =>
          ["slotkey_expired_rows_total", "slotkey_job_attempts_total", "slotkey_grants_live"].every((name) =>
            text.includes(`\n${name}`)
          )
      )
    )
    return { text: yield* ask("text/plain"), openMetrics: yield* ask("application/openmetrics-text") }
  })

  it.effect("lists every metric with its labels (UPDATE_DOCS=1 writes the table), in both formats as their tools want it", () =>
    Effect.gen(function*() {
      const { openMetrics, text } = yield* exposed
      assertTable(
        "docs/operations/metrics.md",
        "metrics",
        ["metric", "type", "unit", "labels", "of", "meaning"],
        families(text).toSorted((one, other) => one.name < other.name ? -1 : 1).map(({ help, labels, name, type }) => [
          `\`${name}\``,
          type,
          /_(seconds|bytes)(_total)?$/.exec(name)?.[1] ?? "",
          labels.map((label) => `\`${label}\``).join(", "),
          owner(name),
          help
        ])
      )
      if (!areAvailable) return
      assert.strictEqual(promtoolComplaints(text), "")
      assert.strictEqual(openMetricsComplaints(openMetrics), "")
    }))
})

const owner = (name: string): string =>
  /^(http_|slotkey_requests_)/.test(name)
    ? "servers"
    : /^slotkey_(clients|expired|grants|job|outbox|queue|review)|^slotkey_database_(up|sessions|replication)/.test(name)
    ? "workers"
    : "all"

const families = (text: string) =>
  [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (.*)$/gm)].map(([, name = "", help = "", type = ""]) => ({
    name,
    help,
    type,
    labels: [
      ...new Set([...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\}`, "gm"))]
        .flatMap(([, labels = ""]) => [...labels.matchAll(/([a-z_]+)="/g)].map(([, label = ""]) => label)))
    ].filter((label) => label !== "le" && label !== "quantile").toSorted()
  }))

import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { NewConnection } from "../../src/foundation/jobs/kinds/NewConnection.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { Relay } from "../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../src/foundation/jobs/queue/Worker.ts"
import { failureLimit, window } from "../../workers/OperatorGuard.ts"
import { eventually } from "../support/Eventually.ts"
import { httpSender } from "../support/HttpSender.ts"
import { LogLines } from "../support/LogLines.ts"
import { layerOn, Redis, stores } from "../support/TestJobs.ts"
import { app, onPort, user } from "./Scenario.ts"

const password = "a password of the operator"
const authorization = `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`

describe.each(stores)("The worker process with the queues in $store", ({ skip, store }) => {
  if (skip !== undefined) return it.skip(skip)

  const Process = Layer.mergeAll(
    layerOn(store, { DASHBOARD_PASSWORD: password, JOB_ATTEMPTS: "2" }),
    Layer.succeed(Metric.MetricRegistry, new Map())
  )

  layer(Process, { excludeTestServices: true })("", (it) => {
    const text = (response: Response) => Effect.promise(() => response.text())

    it.effect("says that it lives and can work", () =>
      Effect.gen(function*() {
        const send = yield* httpSender(onPort("failed"))
        assert.strictEqual((yield* send("/healthz")).status, 200)
        const ready = yield* send("/readyz")
        assert.strictEqual(ready.status, 200)
        const { checks, status } = JSON.parse(yield* text(ready))
        assert.strictEqual(status, "ok")
        const detail = store === "redis" ? "Redis answers." : "The store of the queues answers."
        assert.deepStrictEqual(checks.jobs, { status: "ok", detail })
        assert.deepStrictEqual(Object.keys(checks).toSorted(), ["clock", "database", "draining", "jobs", "relay"])
      }))

    it.effect("counts what waits, what was done, what was tried again and what was put aside", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const outbox = yield* Outbox
        const relay = yield* Relay
        const send = yield* httpSender(onPort("failed"))
        const metrics = Effect.flatMap(send("/metrics"), text)
        const publish = outbox.publish(NewConnection.make({ userId: user, clientId: app, scopes: null }))

        yield* publish
        yield* publish
        yield* sql`UPDATE outbox SET created_at = created_at - interval '1 minute'`
        yield* relay.enqueueNext
        const before = yield* metrics
        const line = (start: string) => before.split("\n").find((line) => line.startsWith(start))?.split(" ").at(-1)
        assert.strictEqual(line("slotkey_queues_up"), "1")
        assert.strictEqual(line(`slotkey_queue_jobs{queue="new-connections",state="waiting"}`), "1")
        assert.strictEqual(line(`slotkey_outbox_jobs{queue="new-connections",state="waiting"}`), "1")
        assert.strictEqual(line(`slotkey_outbox_jobs{queue="new-connections",state="enqueued"}`), "1")
        assert.isAtLeast(Number(line(`slotkey_outbox_oldest_open_seconds{queue="new-connections"}`)), 60)

        let fail = true
        yield* Layer.build(Layer.mergeAll(
          Relay.layerLoop,
          Worker.layer({ kind: NewConnection, handler: () => fail ? Effect.die("trouble") : Effect.void })
        ))
        yield* eventually(Effect.map(sql`SELECT 1 FROM outbox WHERE dead_at IS NOT NULL`, (rows) => {
          fail = rows.length === 0
          return !fail
        }))
        yield* eventually(Effect.map(sql`SELECT 1 FROM outbox WHERE done_at IS NOT NULL`, (rows) => rows.length === 1))
        yield* eventually(Effect.map(metrics, (after) =>
          [
            `slotkey_job_attempts_total{queue="new-connections",outcome="done"} 1`,
            `slotkey_job_attempts_total{queue="new-connections",outcome="again"} 1`,
            `slotkey_job_attempts_total{queue="new-connections",outcome="dead"} 1`,
            `slotkey_job_duration_seconds_count{queue="new-connections"} 3`,
            `slotkey_outbox_jobs{queue="new-connections",state="dead"} 1`
          ].every((line) => after.includes(line))))
      }))

    it.effect("shows the dashboard to its operator only, and takes orders from its own pages only", () =>
      Effect.gen(function*() {
        const send = yield* httpSender(onPort("failed"))
        for (const path of ["/queues", "/queues/", "/queues/api/queues", "/queues/static/js/none.js"]) {
          const stranger = yield* send(path)
          assert.strictEqual(stranger.status, 401)
          assert.include(stranger.headers.get("www-authenticate") ?? "", "Basic")
          const guess = `Basic ${Buffer.from("operator:guess").toString("base64")}`
          assert.strictEqual((yield* send(path, { headers: { authorization: guess } })).status, 401)
        }
        const page = yield* send("/queues", { headers: { authorization } })
        assert.strictEqual(page.status, 200)
        assert.include(yield* text(page), "Slotkey jobs")
        assert.include(page.headers.get("content-security-policy") ?? "", "script-src 'self'")

        const queues = yield* send("/queues/api/queues", { headers: { authorization } })
        assert.strictEqual(queues.status, 200)
        assert.include(yield* text(queues), "review-notices")

        const pause = (headers: Record<string, string>) =>
          send("/queues/api/queues/expiry/pause", { method: "PUT", headers: { authorization, ...headers } })
        assert.strictEqual((yield* pause({})).status, 403)
        assert.strictEqual((yield* pause({ "sec-fetch-site": "cross-site" })).status, 403)
        assert.strictEqual((yield* pause({ origin: "http://evil.test", host: "10.0.0.7:3001" })).status, 403)
        assert.strictEqual((yield* pause({ "sec-fetch-site": "same-origin" })).status, 200)
        assert.strictEqual((yield* pause({ origin: "http://10.0.0.7:3001", host: "10.0.0.7:3001" })).status, 200)
      }))

    it.effect("keeps in the audit trail what is changed on the dashboard, and nothing that is refused there", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const send = yield* httpSender(onPort("failed"))
        const put = (path: string) =>
          Effect.map(
            send(`/queues/api/queues/${path}`, {
              method: "PUT",
              headers: { authorization, "sec-fetch-site": "same-origin" }
            }),
            ({ status }) => status
          )
        const outbox = yield* Outbox
        yield* outbox.publish(NewConnection.make({ userId: user, clientId: app, scopes: null }))
        yield* (yield* Relay).enqueueNext
        const [job] = yield* sql<{ id: string }>`SELECT 'outbox-' || max(id) AS id FROM outbox`
        yield* sql`DELETE FROM audit_log`

        assert.strictEqual(yield* put(`new-connections/${job?.id}/retry`), 400)
        assert.strictEqual(yield* put("new-connections/outbox-0/clean"), 404)
        assert.strictEqual(yield* put("none/pause"), 404)
        assert.strictEqual(yield* put(`new-connections/${job?.id}/clean`), 204)
        assert.strictEqual(yield* put("token-reuse/clean/failed"), 200)
        assert.strictEqual(yield* put("resume"), 200)

        const trail = yield* sql`SELECT actor, action, details FROM audit_log ORDER BY id`
        const changed = (details: Record<string, unknown>) => ({
          actor: "dashboard",
          action: "queue.changed",
          details
        })
        assert.deepStrictEqual(trail, [
          changed({ act: "clean", queue: "new-connections", job: job?.id }),
          changed({ act: "clean", queue: "token-reuse", state: "failed" }),
          changed({ act: "resume" })
        ])
      }))

    if (store !== "redis") return

    it.effect("warns of a Redis that may delete jobs, in the words of the servers, and goes on", () =>
      Effect.gen(function*() {
        const redis = yield* Redis
        const policy = (name: string) => redis?.administer("CONFIG", "SET", "maxmemory-policy", name) ?? Effect.void
        yield* policy("allkeys-lru")
        yield* redis?.permit("+info") ?? Effect.void
        const send = yield* httpSender(onPort("failed"))
        const ready = yield* send("/readyz")
        const { checks } = JSON.parse(yield* text(ready))
        yield* policy("noeviction")
        assert.strictEqual(ready.status, 200)
        assert.deepStrictEqual(checks.jobs, {
          status: "degraded",
          detail: "Redis deletes jobs when its memory is full: its maxmemory-policy is allkeys-lru. " +
            "Set maxmemory-policy noeviction on it."
        })
      }))

    it.effect("says what it lacks while Redis is away, and still gives its figures", () =>
      Effect.gen(function*() {
        const redis = yield* Redis
        yield* redis?.kill ?? Effect.void
        const send = yield* httpSender(onPort("failed"))
        const dashboard = yield* send("/queues/api/queues", { headers: { authorization } })
        assert.strictEqual(dashboard.status, 503)
        assert.strictEqual(dashboard.headers.get("retry-after"), "5")
        const ready = yield* send("/readyz")
        assert.strictEqual(ready.status, 503)
        const { checks } = JSON.parse(yield* text(ready))
        assert.deepStrictEqual([checks.database.status, checks.jobs.status], ["ok", "failed"])
        assert.include(checks.jobs.detail, "Redis is away, and jobs wait: ")
        assert.strictEqual((yield* send("/healthz")).status, 200)
        const embedded = yield* httpSender(onPort("degraded"))
        assert.strictEqual((yield* embedded("/readyz")).status, 200)
        assert.include(yield* Effect.flatMap(send("/metrics"), text), "slotkey_queues_up 0")
        yield* redis?.start ?? Effect.void
        yield* Layer.build(Relay.layerLoop)
        yield* eventually(Effect.map(send("/readyz"), ({ status }) => status === 200))
      }))
  })
})

const Guarded = layerOn("postgres", { DASHBOARD_PASSWORD: password, TRUSTED_PROXIES: "1" })

layer(LogLines.layer.pipe(Layer.provideMerge(Guarded)))("The worker process", (it) => {
  it.effect("is not ready when the relay has made no progress for 15 seconds", () =>
    Effect.gen(function*() {
      const relay = yield* Relay
      const send = yield* httpSender(onPort("failed"))
      const ready = Effect.flatMap(send("/readyz"), (response) =>
        Effect.map(Effect.promise(() => response.json()), ({ checks }) => [response.status, checks.relay]))
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(yield* ready, [200, { status: "ok", detail: "The relay looks for jobs." }])
      yield* TestClock.adjust("1 second")
      const stalled = { status: "failed", detail: "The relay has not looked for jobs for 16 s." }
      assert.deepStrictEqual(yield* ready, [503, stalled])
      yield* relay.enqueueNext
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* ready)[0], 200)
    }))

  it.effect("has an address wait that guesses the dashboard's password, and nobody else", () =>
    Effect.gen(function*() {
      const send = yield* httpSender(onPort("failed"))
      const from = (address: string, credential: string) =>
        send("/queues", {
          headers: { "x-forwarded-for": address, authorization: `Basic ${Buffer.from(credential).toString("base64")}` }
        })
      const right = `operator:${password}`
      for (let i = 0; i < failureLimit; i++) {
        assert.strictEqual((yield* send("/queues", { headers: { "x-forwarded-for": "192.0.2.1" } })).status, 401)
        assert.strictEqual((yield* from("192.0.2.1", `operator:guess ${i}`)).status, 401)
      }
      for (const credential of ["operator:guess", right]) {
        const refused = yield* from("192.0.2.1", credential)
        assert.strictEqual(refused.status, 429)
        assert.strictEqual(refused.headers.get("retry-after"), "900")
      }
      const lockOuts = (yield* LogLines).of("dashboard.locked_out").map(({ address }) => address)
      assert.deepStrictEqual(lockOuts, ["192.0.2.1"])
      assert.strictEqual((yield* from("192.0.2.2", right)).status, 200)
      yield* TestClock.adjust(window)
      assert.strictEqual((yield* from("192.0.2.1", right)).status, 200)
      for (let i = 0; i < 4 * failureLimit; i++) {
        yield* from(`2001:db8:1:${(i * 0x100).toString(16)}::1`, "operator:guess")
      }
      assert.strictEqual((yield* from("2001:db8:1:ffff::1", right)).status, 429)
      assert.strictEqual((yield* from("2001:db8:2:ffff::1", right)).status, 200)
    }))
})

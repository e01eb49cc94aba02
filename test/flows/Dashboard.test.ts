import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { NewConnection } from "../../src/foundation/jobs/kinds/NewConnection.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { Relay } from "../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../src/foundation/jobs/queue/Worker.ts"
import { Routes } from "../../workers/Routes.ts"
import { Browser, isAvailable } from "../support/Browser.ts"
import { eventually } from "../support/Eventually.ts"
import { layerOn } from "../support/TestJobs.ts"
import { app, user } from "../workers/Scenario.ts"

const password = "a password of the operator"

const Process = HttpRouter.serve(Routes, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
  Layer.provide(AuditLog.layer),
  Layer.provideMerge(layerOn("postgres", { DASHBOARD_PASSWORD: password, JOB_ATTEMPTS: "1" })),
  Layer.provideMerge(Browser.layer())
)

describe("The queue dashboard", () => {
  if (!isAvailable) return it.skip("skipped: there is no Chromium on this machine")

  layer(Process, { excludeTestServices: true })("", (it) => {
    it.effect("shows an operator the job that was put aside with its cause, and has it tried again", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const outbox = yield* Outbox
        const { address } = yield* HttpServer.HttpServer
        const port = "port" in address ? address.port : 0
        let mended = false
        yield* Layer.build(Layer.mergeAll(
          Relay.layerLoop,
          Worker.layer({
            kind: NewConnection,
            handler: () => mended ? Effect.void : Effect.die("the mail server is down")
          })
        ))
        yield* outbox.publish(NewConnection.make({ userId: user, clientId: app, scopes: null }))
        yield* eventually(Effect.map(sql`SELECT 1 FROM outbox WHERE dead_at IS NOT NULL`, (rows) => rows.length === 1))

        const page = yield* (yield* Browser).newPage()
        const errors: Array<string> = []
        page.on("pageerror", (error) => errors.push(error.message))
        page.on("console", (message) => {
          if (message.text().includes("Policy")) errors.push(message.text())
        })
        const hosts = new Set<string>()
        page.on("request", (request) => hosts.add(new URL(request.url()).host))
        yield* Effect.promise(async () => {
          await page.setExtraHTTPHeaders({
            authorization: `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`
          })
          await page.goto(`http://127.0.0.1:${port}/queues/queue/new-connections?status=failed`)
          await page.getByText("UnrecoverableError").waitFor()
        })
        assert.include(yield* Effect.promise(() => page.innerText("main")), "the mail server is down")

        mended = true
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Retry all" }).click()
          await page.getByRole("button", { name: "Confirm" }).click()
        })
        const done = sql`SELECT 1 FROM outbox WHERE done_at IS NOT NULL AND dead_at IS NULL`
        yield* eventually(Effect.map(done, (rows) => rows.length === 1))
        const trail = yield* sql`SELECT actor, action, details FROM audit_log`
        const details = { act: "retry", queue: "new-connections", state: "failed" }
        assert.deepStrictEqual(trail, [{ actor: "dashboard", action: "queue.changed", details }])
        assert.deepStrictEqual(errors, [])
        assert.deepStrictEqual([...hosts], [`127.0.0.1:${port}`])
      }))

    it.effect("opens with and without a slash at the end of its address", () =>
      Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        const port = "port" in address ? address.port : 0
        const headers = { authorization: `Basic ${Buffer.from(`operator:${password}`).toString("base64")}` }
        for (const path of ["/queues", "/queues/"]) {
          const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}${path}`, { headers }))
          assert.strictEqual(response.status, 200, path)
          assert.include(yield* Effect.promise(() => response.text()), "Slotkey jobs", path)
        }
      }))
  })
})

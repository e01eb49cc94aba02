// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import { ReviewNotice } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import { addPeople, app } from "./Scenario.ts"

/** Runs `npm start` with no settings but the folder, a free port and a short lock. */
const launch = Effect.fnUntraced(function*(folder: string) {
  const port = yield* freePort
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["--require=./src/start.cjs", "src/main.ts"], {
        env: {
          PATH: process.env["PATH"],
          DATA_DIR: folder,
          PORT: String(port),
          OPERATOR_PORT: "0",
          JOB_LOCK: "1 second"
        },
        stdio: ["ignore", "pipe", "inherit"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  return { child, url: `http://127.0.0.1:${port}` }
})

/** The same, and waits until the server reports that it runs. `kill` ends it as a crash would. */
const start = Effect.fnUntraced(function*(folder: string) {
  const { child } = yield* launch(folder)
  yield* Effect.callback<void>((resume) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.includes("Slotkey is running")) resume(Effect.void)
    })
  })
  const kill = Effect.promise(async () => {
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
  })
  return { kill }
})

const beside = <A, E>(folder: string, effect: Effect.Effect<A, E, SqlClient.SqlClient | Outbox>) =>
  effect.pipe(Effect.provide(Outbox.layer.pipe(
    Layer.provideMerge(Database.layerBeside),
    Layer.provide(AppConfig.layerTest({ DATA_DIR: folder }))
  )))

it.live(
  "An embedded server answers the first request that it lets in",
  () =>
    Effect.gen(function*() {
      const { url } = yield* launch(yield* temporaryFolder)
      const answer = yield* Effect.tryPromise(() => fetch(`${url}/.well-known/jwks.json`)).pipe(
        Effect.retry(Schedule.spaced("5 millis"))
      )
      assert.strictEqual(answer.status, 200)
    }),
  60_000
)

it.live(
  "An embedded server that is killed does the rest of its jobs when it is started again",
  () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const mails = join(folder, "mail")
      const count = () => existsSync(mails) ? readdirSync(mails).filter((name) => name.endsWith(".eml")).length : 0

      const { kill } = yield* start(folder)
      yield* beside(
        folder,
        Effect.gen(function*() {
          const outbox = yield* Outbox
          yield* addPeople
          yield* Effect.forEach(
            Array.from({ length: 10 }),
            () => outbox.publish(ReviewNotice.make({ clientId: app, event: "approved" }))
          )
        })
      )
      const until = (n: number) => eventually(Effect.sync(() => count() >= n))
      yield* until(3)
      yield* kill
      assert.isBelow(count(), 10)

      yield* start(folder)
      yield* until(10)
      yield* beside(
        folder,
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* eventually(
            Effect.map(sql`SELECT 1 FROM outbox WHERE done_at IS NOT NULL`, (rows) => rows.length === 10)
          )
        })
      )
      assert.strictEqual(count(), 10, "ten notices to the owner")
    }),
  180_000
)

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../support/Eventually.ts"
import * as ServerProcess from "../support/ServerProcess.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as WorkerProcess from "../support/WorkerProcess.ts"

const misspelled = { CODE_LIFETME: "1 minute", SMTP_URI: "smtp://hunter2@mail.example" }

/** What the output says of them; each is named once, whatever the number of processes. */
const assertWarned = (output: string) => {
  for (const [name, meant] of [["CODE_LIFETME", "CODE_LIFETIME"], ["SMTP_URI", "SMTP_URL"]]) {
    const told = output.split(`${name} is no setting and has no effect. Call it ${meant} if that is meant.`)
    assert.lengthOf(told, 2, output)
  }
  assert.notInclude(output, "hunter2")
}

describe("Variables that look like a misspelled setting", () => {
  it.live("are told by an embedded server when it starts", () =>
    Effect.gen(function*() {
      const { output } = yield* ServerProcess.start({ DATA_DIR: yield* temporaryFolder, ...misspelled })
      assertWarned(output())
    }), 120_000)

  it.live("are told once by the processes of a group, and by a worker", (context) =>
    Effect.gen(function*() {
      if (TestPostgres.missing !== undefined) return context.skip(TestPostgres.missing)
      const { url } = yield* TestPostgres.make
      const env = { DATABASE_URL: url, MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"), ...misspelled }
      const server = yield* ServerProcess.start({ ...env, SERVER_PROCESSES: "2" })
      const report = Effect.promise(() => fetch(`${server.operatorUrl}/readyz`).then((answer) => answer.text()))
      yield* eventually(Effect.map(report, (text) => text.includes("2 of 2 server processes")))
      assertWarned(server.output())
      const worker = yield* WorkerProcess.start(env)
      yield* eventually(Effect.sync(() => worker.output().includes("Workers run")))
      assertWarned(worker.output())
    }), 120_000)
})

import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Struct } from "effect"
import { TestConsole } from "effect/testing"
import { StartBanner } from "../../src/app/StartBanner.ts"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { OperatorPort } from "../../src/foundation/operator/OperatorPort.ts"
import * as Testing from "../../src/testing.ts"
import { LogLines } from "../support/LogLines.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const production = {
  BASE_URL: "https://auth.example",
  DATABASE_URL: "postgres://localhost/slotkey",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64url")
}

/** What a server prints that starts with these settings, and the lines of its log. */
const outputWith = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const before = (yield* TestConsole.logLines).length
    const operator = Layer.succeed(OperatorPort, { url: "http://127.0.0.1:3010" })
    const log = yield* Layer.build(
      Layer.provideMerge(StartBanner, LogLines.layer).pipe(Layer.provide([AppConfig.layerTest(env), operator]))
    )
    const printed = (yield* TestConsole.logLines).slice(before).map(String).join("\n")
    return { printed, lines: Context.get(log, LogLines).all }
  }).pipe(Effect.scoped)

layer(Testing.layer().pipe(Layer.provideMerge(TestDatabase.layer)))("the output of a server that starts", (it) => {
  it.effect("has the link that makes the first administrator, where the server is embedded", () =>
    Effect.map(outputWith({}), ({ printed }) => assert.match(printed, /\/setup\?token=slk_setup_/)))

  it.effect("is the log alone in production, with the command that prints that link, and no link", () =>
    Effect.gen(function*() {
      const { lines, printed } = yield* outputWith(production)
      assert.strictEqual(printed, "")
      assert.deepStrictEqual(lines.map(({ message }) => message), [
        "Slotkey is running",
        "There is no administrator yet: `slotkey setup-link` prints the link that makes the first"
      ])
      assert.notInclude(JSON.stringify(lines), "slk_setup_")
    }))

  it.effect("has the address to open once there is an administrator", () =>
    Effect.gen(function*() {
      const password = Redacted.make("correct horse battery")
      yield* (yield* Accounts).create({ email: "root@example.com", name: "Root", password, role: "admin" })
      const { printed } = yield* outputWith({})
      assert.match(printed, / open +http/)
      assert.notInclude(printed, "set")

      const [line, ...more] = (yield* outputWith(production)).lines.map(Struct.omit(["timestamp"]))
      assert.isEmpty(more)
      assert.deepStrictEqual(line, {
        level: "INFO",
        message: "Slotkey is running",
        auth_url: "https://auth.example",
        operator_url: "http://127.0.0.1:3010",
        jobs: "in the database"
      })
    }))
})

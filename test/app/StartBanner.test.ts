import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestConsole } from "effect/testing"
import { StartBanner } from "../../src/app/StartBanner.ts"
import { Accounts } from "../../src/core/accounts/Accounts.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { OperatorPort } from "../../src/foundation/operator/OperatorPort.ts"
import * as Testing from "../../src/testing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

const production = {
  DATABASE_URL: "postgres://localhost/slotkey",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64url")
}

/** The output of a server that starts with these settings. */
const outputWith = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const before = (yield* TestConsole.logLines).length
    const operator = Layer.succeed(OperatorPort, { url: "http://127.0.0.1:3010" })
    yield* Layer.build(StartBanner.pipe(Layer.provide([AppConfig.layerTest(env), operator])))
    return (yield* TestConsole.logLines).slice(before).map(String).join("\n")
  }).pipe(Effect.scoped)

layer(Testing.layer().pipe(Layer.provideMerge(TestDatabase.layer)))("the output of a server that starts", (it) => {
  it.effect("has the link that makes the first administrator, where the server is embedded", () =>
    Effect.map(outputWith({}), (output) => assert.match(output, /\/setup\?token=slk_setup_/)))

  it.effect("has the command that prints that link, and no link, in production", () =>
    Effect.gen(function*() {
      const output = yield* outputWith(production)
      assert.include(output, "slotkey setup-link")
      assert.notInclude(output, "slk_setup_")
    }))

  it.effect("has the address to open once there is an administrator", () =>
    Effect.gen(function*() {
      const password = Redacted.make("correct horse battery")
      yield* (yield* Accounts).create({ email: "root@example.com", name: "Root", password, role: "admin" })
      for (const env of [{}, production]) {
        const output = yield* outputWith(env)
        assert.match(output, / open +http/)
        assert.notInclude(output, "set")
      }
    }))
})

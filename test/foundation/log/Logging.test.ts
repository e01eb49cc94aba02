import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Layer, Redacted } from "effect"
import { TestConsole } from "effect/testing"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as Logging from "../../../src/foundation/log/Logging.ts"

const production = {
  DATABASE_URL: "postgres://localhost/slotkey",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64url")
}

/** Lines that a process with these settings writes. */
const linesOf = (log: Effect.Effect<void>, env: Readonly<Record<string, string>> = production) =>
  Effect.gen(function*() {
    yield* Effect.provide(log, yield* Layer.build(Layer.provide(Logging.layer, AppConfig.layerTest(env))))
    return (yield* TestConsole.logLines).map(String)
  })

/** One line, as a program reads it. */
const lineOf = (log: Effect.Effect<void>) =>
  Effect.map(linesOf(log), (lines) => {
    assert.lengthOf(lines, 1)
    assert.notInclude(lines[0], "\n")
    const { timestamp, ...line } = JSON.parse(lines[0] ?? "") as Record<string, unknown>
    assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    return line
  })

describe("the log of a server in production", () => {
  it.effect("is a flat object a line, whose message is a sentence", () =>
    Effect.gen(function*() {
      const log = Effect.logInfo("Done,", "after all", { rows: 3, of: { table: "grants" } }).pipe(
        Effect.annotateLogs({ client_id: "c", isLate: false, tags: ["a\nb"] })
      )
      assert.deepStrictEqual(yield* lineOf(log), {
        level: "INFO",
        message: "Done, after all",
        rows: 3,
        of: `{"table":"grants"}`,
        client_id: "c",
        isLate: false,
        tags: `["a\\nb"]`
      })
    }))

  it.effect.each([
    { what: "a cause", thrown: Cause.die(new Error("first\nsecond")) },
    { what: "an error", thrown: new Error("first\nsecond") }
  ])("has $what in a field of its own", ({ thrown }) =>
    Effect.gen(function*() {
      const { cause, ...line } = yield* lineOf(Effect.logError("It failed", thrown))
      assert.deepStrictEqual(line, { level: "ERROR", message: "It failed" })
      assert.match(String(cause), /^Error: first\nsecond\n +at /)
    }))

  it.effect("lets no annotation replace what every line has, and shows nothing that is redacted", () =>
    Effect.gen(function*() {
      const log = Effect.annotateLogs(Effect.logWarning("Careful", { level: "none" }), {
        message: "forged",
        secret: Redacted.make("hunter2")
      })
      assert.deepStrictEqual(yield* lineOf(log), { level: "WARN", message: "Careful", secret: "<redacted>" })
    }))
})

describe("LOG_LEVEL", () => {
  const everyLevel = Effect.forEach(
    ["Trace", "Debug", "Info", "Warn", "Error", "Fatal"] as const,
    (level) => Effect.logWithLevel(level)(level),
    { discard: true }
  )
  it.effect.each([
    { word: "trace", lines: 6 },
    { word: "debug", lines: 5 },
    { word: undefined, lines: 4 },
    { word: "info", lines: 4 },
    { word: "warn", lines: 3 },
    { word: "error", lines: 2 },
    { word: "none", lines: 0 }
  ])("$word keeps what is less severe out of the log", ({ lines, word }) =>
    Effect.gen(function*() {
      const env = word === undefined ? production : { ...production, LOG_LEVEL: word }
      assert.lengthOf(yield* linesOf(everyLevel, env), lines)
    }))
})

describe("the log of an embedded server", () => {
  it.effect("is for people to read", () =>
    Effect.gen(function*() {
      const [first = "", ...more] = yield* linesOf(Effect.annotateLogs(Effect.logInfo("Done"), { rows: 3 }), {})
      assert.match(first, /INFO.*Done/)
      assert.include(more.join(), "rows")
    }))
})

describe("the log of a command", () => {
  /** What a command with these settings writes, apart by where it goes. */
  const outputOf = Effect.fnUntraced(function*(env: Readonly<Record<string, string>>) {
    const settings = ConfigProvider.layer(ConfigProvider.fromUnknown(env))
    const log = Effect.andThen(Effect.logInfo("Done"), Effect.logWarning("Careful"))
    yield* Effect.provide(log, yield* Layer.build(Layer.provide(Layer.fresh(Logging.layerCommand), settings)))
    const messages = (yield* TestConsole.errorLines).map(String)
    assert.isEmpty(yield* TestConsole.logLines)
    return messages
  })

  it.effect("is JSON on standard error in production, so that the results stand alone", () =>
    Effect.gen(function*() {
      const messages = (yield* outputOf(production)).map((line) => (JSON.parse(line) as { message: string }).message)
      assert.deepStrictEqual(messages, ["Done", "Careful"])
    }))

  it.effect.each([
    { env: {}, lines: 1 },
    { env: { LOG_LEVEL: "info" }, lines: 2 },
    { env: { LOG_LEVEL: "loud", DATABASE_URL: "nonsense" }, lines: 2 }
  ])(
    "begins at warn for an embedded server, unless LOG_LEVEL tells: $env",
    ({ env, lines }) => Effect.map(outputOf(env), (messages) => assert.lengthOf(messages, lines))
  )
})

// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import * as OutageLog from "../../../src/foundation/log/OutageLog.ts"

const outage = (name: string): OutageLog.Outage => ({
  name,
  what: `The ${name} is away.`,
  remedy: "Start it.",
  reason: "connect ECONNREFUSED"
})

/** Runs a test with a log of its own, whose lines it can read. */
const withLines = <A, E, R>(test: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const recorder = Logger.make(({ fiber, logLevel, message }) => {
    const annotations = Object.entries(fiber.getRef(References.CurrentLogAnnotations))
    lines.push([logLevel, message, ...annotations.map(([key, value]) => `${key}=${value}`)].join(" "))
  })
  return test(lines).pipe(
    Effect.provideService(OutageLog.OpenOutages, new Map()),
    Effect.provideService(Logger.CurrentLoggers, new Set([recorder]))
  )
}

const begin = "Error The database is away. Start it. outage=database reason=connect ECONNREFUSED"

describe("the log of outages", () => {
  it.effect("has a line when one begins, a line a minute, and a line when nothing fails any more", () =>
    withLines((lines) =>
      Effect.gen(function*() {
        const fail = OutageLog.report(outage("database")).pipe(Effect.annotateLogs({ path: "/v2/me" }))
        yield* Effect.replicateEffect(fail, 1000)
        assert.deepStrictEqual(lines, [begin.replace(" outage", " path=/v2/me outage")])
        for (let second = 0; second < 125; second++) {
          yield* TestClock.adjust("1 second")
          yield* fail
        }
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(lines.slice(1), [
          "Warn The database is away. It goes on. outage=database failures=1059 seconds=60",
          "Warn The database is away. It goes on. outage=database failures=60 seconds=120",
          "Info An outage is over: nothing has failed for ten seconds. outage=database failures=1125 seconds=140"
        ])
        yield* fail
        assert.lengthOf(lines, 5)
      })
    ))

  it.effect("tells outages apart by their names", () =>
    withLines((lines) =>
      Effect.gen(function*() {
        yield* OutageLog.report(outage("database"))
        yield* OutageLog.report(outage("job store"))
        yield* OutageLog.report(outage("database"))
        assert.lengthOf(lines, 2)
      })
    ))

  it.effect("ends with the part of the process that had the outage", () =>
    withLines((lines) =>
      Effect.gen(function*() {
        yield* Effect.provide(OutageLog.report(outage("database")), OutageLog.layer)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(lines, [begin])
      })
    ))
})

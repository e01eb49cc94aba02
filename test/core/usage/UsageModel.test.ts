import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { UsageReports } from "../../../src/core/usage/UsageReports.ts"
import { DatabaseOutage } from "../../support/DatabaseOutage.ts"
import { clientId } from "../tokens/Fixture.ts"
import { begin, call, callsOf, grant, merge, server, services } from "./Scenario.ts"

const needs = ["BOOKING_READ", "PROFILE_READ", "APPS_READ+APPS_WRITE", "BOOKING_WRITE BOOKING_READ"] as const

const Step = Schema.Union([
  Schema.Struct({
    _tag: Schema.Literal("Call"),
    server: Schema.Literals([0, 1]),
    grant: Schema.Literals([0, 1, 2]),
    need: Schema.Literals(needs)
  }),
  Schema.Struct({ _tag: Schema.Literals(["Hour", "Away", "Merge", "Stop"]) })
])
const Steps = Schema.Array(Step).check(Schema.isMinLength(10), Schema.isMaxLength(60))

layer(services({ USAGE_INTERVAL: "1 hour" }), { timeout: "2 minutes" })("Whatever happens", (it) => {
  it.effect.prop(
    "the sum of what was noted is the sum of what is read",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function*() {
        yield* begin
        const outage = yield* DatabaseOutage
        const grants = [yield* grant(), yield* grant(), yield* grant()]
        const servers = [yield* server, yield* server]
        const expected = grants.map((): Record<string, number> => ({}))
        const before = yield* total
        for (const step of steps) {
          if (step._tag === "Call") {
            servers[step.server]?.note(call(grants[step.grant]!, { need: step.need }))
            const counts = expected[step.grant]!
            counts[step.need] = (counts[step.need] ?? 0) + 1
          } else if (step._tag === "Hour") yield* TestClock.adjust("1 hour")
          else if (step._tag === "Away") yield* outage.away(TestClock.adjust("1 hour"))
          else if (step._tag === "Merge") yield* merge
          else {
            yield* servers[0]!.stop
            servers[0] = yield* server
          }
        }
        for (const { stop } of servers) yield* stop
        assert.deepStrictEqual(yield* Effect.forEach(grants, callsOf), expected)
        yield* merge
        assert.deepStrictEqual(yield* Effect.forEach(grants, callsOf), expected)
        const calls = steps.filter(({ _tag }) => _tag === "Call").length
        assert.strictEqual((yield* total) - before, calls)
      }),
    { arbitrary: { runs: 15 } }
  )
})

const total = Effect.gen(function*() {
  const { days } = yield* (yield* UsageReports).ofClient(clientId, 91)
  return days.reduce((sum, { calls }) => sum + calls, 0)
})

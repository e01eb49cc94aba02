import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { UsageNotes } from "../../../src/core/usage/UsageNotes.ts"
import { ClientId, GrantId } from "../../../src/domain/Ids.ts"
import * as SentUsage from "../../../src/doors/resource/SentUsage.ts"
import * as OutageLog from "../../../src/foundation/log/OutageLog.ts"

const grantId = GrantId.make("01900000-0000-7000-8000-000000000001")
const call = {
  grantId,
  clientId: ClientId.make("client_1"),
  need: "BOOKING_READ",
  operation: { method: "GET", path: "/v2/bookings" },
  outcome: "allowed"
} as const

/** A guard's counts, and the reports that reached a server with this answer. */
const guard = Effect.fnUntraced(function*(answer: () => number) {
  const sent: Array<ReturnType<typeof JSON.parse>> = []
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent.push(JSON.parse(await new Response(init?.body).text()))
    return new Response(null, { status: answer() })
  }
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(
    SentUsage.layer("https://slotkey.test", Redacted.make("slk_rs_ours")).pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
      Layer.provideMerge(OutageLog.layer)
    ),
    scope
  )
  const { note } = yield* Effect.provide(UsageNotes, context)
  const pass = (seconds: number) =>
    Effect.andThen(TestClock.adjust(`${seconds} seconds`), TestClock.withLive(Effect.sleep("20 millis")))
  return { note, sent, pass, close: Scope.close(scope, Exit.void) }
})

describe("A guard that reports calls", () => {
  it.effect("sends nothing until there is something, and each call once, with ages in place of times", () =>
    Effect.gen(function*() {
      const { close, note, pass, sent } = yield* guard(() => 204)
      yield* pass(60)
      assert.deepStrictEqual(sent, [])
      note(call)
      yield* pass(4)
      note(call)
      yield* pass(6)
      assert.deepStrictEqual(sent.map(({ calls }) => calls), [[{
        grant: grantId,
        need: "BOOKING_READ",
        operation: "GET /v2/bookings",
        outcome: "allowed",
        calls: 2,
        first: 10,
        last: 6
      }]])
      yield* pass(60)
      yield* close
      assert.lengthOf(sent, 1)
    }))

  it.effect("sends a report again as it was while the server does not take it, and new calls after it", () =>
    Effect.gen(function*() {
      let status = 503
      const { close, note, pass, sent } = yield* guard(() => status)
      note(call)
      yield* pass(10)
      note({ ...call, need: "PROFILE_READ" })
      yield* pass(10)
      status = 204
      yield* pass(10)
      note(call)
      yield* pass(10)
      const [first, second, third, fourth] = sent
      assert.deepStrictEqual([first.batch, second.batch], [third.batch, third.batch])
      assert.strictEqual(third.calls[0].last, 30)
      assert.deepStrictEqual(fourth.calls.map(({ need }: { need: string }) => need), ["PROFILE_READ", "BOOKING_READ"])
      yield* close
    }))

  it.effect("drops what is an hour old, and reports how much that was", () =>
    Effect.gen(function*() {
      let status = 503
      const { close, note, pass, sent } = yield* guard(() => status)
      note(call)
      note(call)
      for (let minutes = 0; minutes < 64; minutes++) yield* pass(60)
      status = 204
      yield* pass(10)
      assert.deepInclude(sent.at(-1), { calls: [] })
      assert.strictEqual(sent.at(-1).missed.calls, 2)
      assert.isAtLeast(sent.at(-1).missed.first, 3_600)
      yield* close
    }))

  it.effect("counts as missed what has no room, and never lets a call wait", () =>
    Effect.gen(function*() {
      const { close, note, sent } = yield* guard(() => 204)
      for (let n = 0; n < 5_003; n++) {
        note({ ...call, grantId: GrantId.make(`${grantId.slice(0, 24)}${String(n).padStart(12, "0")}`) })
      }
      yield* close
      assert.lengthOf(sent[0].calls, 5_000)
      assert.strictEqual(sent[0].missed.calls, 3)
    }))
})

import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { total } from "../../support/Metrics.ts"
import { approvedApp, layer as server } from "../../support/TestServer.ts"

const counts = Effect.all({
  codes: total("slotkey_code_replays_total"),
  repeats: total("slotkey_refresh_grace_replays_total"),
  thefts: total("slotkey_refresh_thefts_total")
})

// Without the long grace, a theft shows after half a minute.
layer(server({ REFRESH_GRACE_MAX: "0 seconds" }))((it) => {
  describe("the metrics", () => {
    it.effect("count repeats within the grace, thefts and codes that are used twice, each as what it is", () =>
      Effect.gen(function*() {
        const { code, exchange, refresh, tokens } = yield* approvedApp()
        const before = yield* counts
        const counted = Effect.map(counts, ({ codes, repeats, thefts }) => ({
          codes: codes - before.codes,
          repeats: repeats - before.repeats,
          thefts: thefts - before.thefts
        }))
        const { refresh_token } = yield* tokens()
        yield* refresh(refresh_token)
        yield* refresh(refresh_token)
        assert.deepStrictEqual(yield* counted, { codes: 0, repeats: 1, thefts: 0 })
        yield* TestClock.adjust("31 seconds")
        yield* refresh(refresh_token)
        yield* refresh(refresh_token)
        assert.deepStrictEqual(yield* counted, { codes: 0, repeats: 1, thefts: 1 })
        const spent = yield* code()
        yield* exchange(spent)
        yield* exchange(spent)
        assert.deepStrictEqual(yield* counted, { codes: 0, repeats: 1, thefts: 1 })
        yield* TestClock.adjust("10 seconds")
        yield* exchange(spent)
        assert.deepStrictEqual(yield* counted, { codes: 1, repeats: 1, thefts: 1 })
      }))
  })
})

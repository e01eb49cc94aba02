// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { publication } from "../../../src/core/keys/KeyRing.ts"
import { RefreshKeys } from "../../../src/core/keys/RefreshKeys.ts"
import * as RefreshToken from "../../../src/core/tokens/RefreshToken.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { node, token } from "./Scenario.ts"

layer(TestDatabase.layer)("Refresh keys", (it) => {
  it.effect("rotate: tokens with a MAC under the old key stay readable and keep their text", () =>
    Effect.gen(function*() {
      const keys = yield* RefreshKeys
      const before = yield* DateTime.now
      const refreshToken = { grantId: token.grantId, handle: Buffer.alloc(16, 1), generation: 3 }
      const write = (at: DateTime.Utc) => {
        const { id, key } = keys.signing(at)
        return RefreshToken.write(refreshToken, id, key)
      }
      const text = write(before)
      yield* keys.rotateAfter(Duration.zero)
      yield* TestClock.adjust(publication)
      const now = yield* DateTime.now
      assert.notStrictEqual(write(now), text)
      assert.strictEqual(write(before), text)
      assert.deepStrictEqual(RefreshToken.read(text, (id) => keys.find(id)?.key), refreshToken)
      assert.deepStrictEqual(RefreshToken.read(write(now), (id) => keys.find(id)?.key), refreshToken)
      // An imported grant may have been idle for longer than other grants may.
      yield* TestClock.adjust("90 minutes")
      yield* keys.reload
      assert.deepStrictEqual(RefreshToken.read(text, (id) => keys.find(id)?.key), refreshToken)
      yield* TestClock.adjust("90 minutes")
      yield* keys.reload
      assert.isUndefined(RefreshToken.read(text, (id) => keys.find(id)?.key))
    }).pipe(Effect.provide(node())))

  it.effect("make tokens of which no byte can be changed", () =>
    Effect.gen(function*() {
      const keys = yield* RefreshKeys
      const now = yield* DateTime.now
      const { id, key } = keys.signing(now)
      const text = RefreshToken.write({ grantId: token.grantId, handle: Buffer.alloc(16, 1), generation: 0 }, id, key)
      assert.match(text, /^slk_refresh_[A-Za-z0-9_-]{81}$/)
      for (let at = 0; at < text.length; at++) {
        const changed = text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1)
        assert.isUndefined(RefreshToken.read(changed, (id) => keys.find(id)?.key))
      }
    }).pipe(Effect.provide(node())))
})

import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
import { reporterKeys } from "../../../src/core/leaks/ReporterKeys.ts"
import { listen } from "../../support/Listening.ts"

describe("the host of a reporter's keys", () => {
  it.effect("may fall silent: that is said in time, it is asked once a minute, and keys that are known go on", () =>
    Effect.gen(function*() {
      const { publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
      const key = publicKey.export({ type: "spki", format: "pem" })
      let isSilent = true
      let asked = 0
      let heard = yield* Deferred.make<void>()
      const server = createServer((_, response) => {
        asked++
        Deferred.doneUnsafe(heard, Effect.void)
        if (!isSilent) response.end(JSON.stringify({ public_keys: [{ key_identifier: "one", key }] }))
      })
      const find = yield* reporterKeys(`http://127.0.0.1:${yield* listen(server)}/keys`)
      const inSilence = Effect.gen(function*() {
        const finding = yield* Effect.forkChild(Effect.result(find("one")))
        yield* Deferred.await(heard)
        yield* TestClock.adjust("5 seconds")
        return yield* Fiber.join(finding)
      })

      assert.strictEqual((yield* inSilence)._tag, "Failure")
      assert.strictEqual((yield* Effect.result(find("one")))._tag, "Failure")
      assert.strictEqual(asked, 1)

      isSilent = false
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isSome(yield* find("one")))

      isSilent = true
      heard = yield* Deferred.make<void>()
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* inSilence)._tag, "Success")
      assert.strictEqual(asked, 3)
    }))
})

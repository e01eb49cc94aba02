import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject, verify } from "node:crypto"
import * as Signer from "../../src/tokens/Signer.ts"

const keyPair = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey

const holds = (privateKey: KeyObject, input: string, signature: string): boolean =>
  verify(
    "sha256",
    Buffer.from(input),
    { key: createPublicKey(privateKey), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url")
  )

describe("The thread that signs", () => {
  it.effect("signs what was asked with the key that was named, while keys change", () =>
    Effect.gen(function*() {
      const sign = yield* Signer.make
      const orders = [keyPair(), keyPair()].flatMap((key) =>
        Array.from({ length: 50 }, (_, n) => ({ key, input: `input ${n}` }))
      )
      const mixed = orders.map((_, i) => orders[i * 37 % orders.length]).filter((order) => order !== undefined)
      const signatures = yield* Effect.forEach(mixed, ({ input, key }) => sign("ES256", key, input), {
        concurrency: "unbounded"
      })
      assert.isTrue(mixed.every(({ input, key }, i) => holds(key, input, signatures[i] ?? "")))
    }))

  it.effect("tells who waits when it fails, and signs for the next one", () =>
    Effect.gen(function*() {
      const sign = yield* Signer.make
      const unfit = createSecretKey(Buffer.alloc(32))
      const failed = yield* Effect.forEach(["a", "b"], (input) => Effect.exit(sign("ES256", unfit, input)), {
        concurrency: "unbounded"
      })
      assert.isTrue(failed.every(Exit.hasDies))
      const key = keyPair()
      assert.isTrue(holds(key, "input", yield* sign("ES256", key, "input")))
    }))
})

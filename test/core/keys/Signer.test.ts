import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import {
  createHmac,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  verify
} from "node:crypto"
import { Signer } from "../../../src/core/keys/Signer.ts"

const keyPair = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey

const secretKey = (): KeyObject => createSecretKey(randomBytes(32))

const holds = (privateKey: KeyObject, input: string, signature: string): boolean =>
  verify(
    "sha256",
    Buffer.from(input),
    { key: createPublicKey(privateKey), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url")
  )

const macOf = (key: KeyObject, input: string) => createHmac("sha256", key).update(input).digest("base64url")

layer(Signer.layer)("The signing thread", (it) => {
  it.effect("signs each input with its own key, while keys change", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const keys = [[keyPair(), secretKey()], [keyPair(), secretKey()]] as const
      const pairs = Array.from({ length: 100 }, (_, n) => {
        const [key, macKey] = keys[n * 37 % 10 < 5 ? 0 : 1]
        return [
          { algorithm: "ES256", key, input: `input ${n}` },
          { algorithm: "HS256", key: macKey, input: `other ${n}` }
        ] as const
      })
      const signed = yield* Effect.forEach(pairs, signer.sign, { concurrency: "unbounded" })
      pairs.forEach(([one, other], i) => {
        const [signature = "", mac = ""] = signed[i] ?? []
        assert.isTrue(holds(one.key, one.input, signature))
        assert.strictEqual(mac, macOf(other.key, other.input))
      })
    }))

  it.effect("dies of one request without costing another its signature", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const key = keyPair()
      const unfit = secretKey()
      // All three go in one message to the thread, which dies of the unfit key.
      const [before, failed, after] = yield* Effect.forEach(
        [key, unfit, key],
        (key) => Effect.exit(signer.sign([{ algorithm: "ES256", key, input: "input" }])),
        { concurrency: "unbounded" }
      )
      assert.isTrue(failed !== undefined && Exit.hasDies(failed))
      const next = yield* Effect.exit(signer.sign([{ algorithm: "ES256", key, input: "input" }]))
      for (const exit of [before, after, next]) {
        assert(exit !== undefined && Exit.isSuccess(exit))
        assert.isTrue(holds(key, "input", exit.value[0] ?? ""))
      }
    }))
})

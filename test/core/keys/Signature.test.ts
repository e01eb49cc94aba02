import { assert, describe, it } from "@effect/vitest"
import { generateKeyPairSync, verify } from "node:crypto"
import * as Signature from "../../../src/core/keys/Signature.ts"

describe("ES256 signatures", () => {
  // About one signature in 64 has an integer of fewer than 32 bytes.
  it("are two integers of 32 bytes each, however long they are in DER", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    for (let n = 0; n < 1000; n++) {
      const signature = Buffer.from(Signature.sign("ES256", privateKey, `input ${n}`), "base64url")
      assert.strictEqual(signature.length, 64)
      assert.isTrue(
        verify("sha256", Buffer.from(`input ${n}`), { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)
      )
    }
  })
})

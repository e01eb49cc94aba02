import { assert, describe, it } from "@effect/vitest"
import { createHmac, createSecretKey, hkdfSync } from "node:crypto"
import { Hmac } from "../../../src/core/keys/Hmac.ts"

describe("A MAC", () => {
  it("is HMAC-SHA-256 under a key derived for its use", () => {
    const secret = createSecretKey(Buffer.alloc(32, 7))
    for (const use of ["one use", "another use"]) {
      const key = Buffer.from(hkdfSync("sha256", secret, "", use, 32)).toString("base64url")
      const hmac = new Hmac(secret, use)
      for (const text of ["", "a text", "ä".repeat(500)]) {
        assert.strictEqual(
          hmac.mac(hmac.digest(text)),
          createHmac("sha256", key).update(text).digest("base64url")
        )
      }
    }
  })
})

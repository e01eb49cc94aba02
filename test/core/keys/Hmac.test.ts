import { assert, describe, it } from "@effect/vitest"
import { createHmac, createSecretKey, hkdfSync } from "node:crypto"
import { Hmac } from "../../../src/core/keys/Hmac.ts"

describe("A MAC", () => {
  it("is HMAC-SHA-256 under a key derived for its use", () => {
    const secret = createSecretKey(Buffer.alloc(32, 7))
    for (const use of ["one use", "another use"]) {
      const key = Buffer.from(hkdfSync("sha256", secret, "", use, 32))
      const hmac = Hmac.derived(secret, use)
      // A shorter text must not meet what is left of a longer one.
      for (const text of ["", "a text", "ä".repeat(5000), "another text"]) {
        const mac = createHmac("sha256", key).update(text, "latin1").digest()
        assert.strictEqual(hmac.mac(text, "base64url"), mac.toString("base64url"))
        assert.strictEqual(hmac.mac(text, "binary"), mac.toString("latin1"))
      }
    }
  })
})

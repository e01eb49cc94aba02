import { hash, hkdfSync, type KeyObject } from "node:crypto"

/**
 * HMAC-SHA-256 (RFC 2104) of texts, under a key that is derived for one use (RFC 5869). It hashes in two steps, because the
 * first digest alone identifies a text to whoever has seen its MAC. A step is one call into OpenSSL with its block of the
 * key already padded, and both take a third of the time of `createHmac`.
 */
export class Hmac {
  readonly #innerBlock: string
  /** The outer block of the key, and room for a digest. */
  readonly #outer: Buffer

  constructor(secret: KeyObject, use: string) {
    // The key is text of ASCII characters, and so is its padded block: one character is one byte in UTF-8.
    const key = Buffer.from(hkdfSync("sha256", secret, "", use, 32)).toString("base64url")
    const block = (padding: number) => Buffer.from(key.padEnd(64, "\0")).map((byte) => byte ^ padding)
    this.#innerBlock = Buffer.from(block(0x36)).toString("latin1")
    this.#outer = Buffer.concat([block(0x5c), Buffer.alloc(32)])
  }

  /** The inner digest, one character for each byte. Nobody without the key can know it, or find two texts with the same. */
  digest(text: string): string {
    return hash("sha256", this.#innerBlock + text, "binary")
  }

  /** The MAC of the text with this inner digest, in base64url. */
  mac(digest: string): string {
    this.#outer.write(digest, 64, "latin1")
    return hash("sha256", this.#outer, "base64url")
  }
}

import { hash, hkdfSync, type KeyObject } from "node:crypto"

/**
 * HMAC-SHA-256 (RFC 2104) under one key. It hashes in two steps, because the first digest alone identifies a text to
 * anyone who has seen its MAC. A step is one call into OpenSSL with its block of the key already padded, and both take
 * half of the time of `createHmac`.
 */
export class Hmac {
  /** Inner block of the key, and room for a text. */
  #inner: Buffer
  /** Outer block of the key, and room for a digest. */
  readonly #outer: Buffer

  /** Keys have 64 bytes at most. */
  constructor(key: Uint8Array) {
    const block = (padding: number) => Buffer.concat([key], blockLength).map((byte) => byte ^ padding)
    this.#inner = Buffer.concat([block(0x36), Buffer.alloc(1024)])
    this.#outer = Buffer.concat([block(0x5c), Buffer.alloc(32)])
  }

  /** One under a key that is derived for this use (RFC 5869). */
  static derived(secret: KeyObject, use: string): Hmac {
    return new Hmac(new Uint8Array(hkdfSync("sha256", secret, "", use, 32)))
  }

  /** MAC of a text in which each character stands for one byte; `binary` answers such a text, too. */
  mac(text: string, encoding: "base64url" | "binary"): string {
    const end = blockLength + text.length
    if (end > this.#inner.length) this.#inner = Buffer.concat([this.#inner], 2 * end)
    this.#inner.write(text, blockLength, "latin1")
    this.#outer.write(hash("sha256", this.#inner.subarray(0, end), "binary"), blockLength, "latin1")
    return hash("sha256", this.#outer, encoding)
  }
}

const blockLength = 64

import { hash, timingSafeEqual } from "node:crypto"

/** Compares a caller's text with the expected one in constant time: the digests that are compared have the same length. */
export const sameText = (presented: string | undefined, expected: string): boolean =>
  presented !== undefined && timingSafeEqual(sha256(presented), sha256(expected))

const sha256 = (text: string): Uint8Array => hash("sha256", text, "buffer")

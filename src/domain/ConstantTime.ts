import { hash, timingSafeEqual } from "node:crypto"

/**
 * Compares a caller's text with the expected one in constant time: the digests that are compared have the same length.
 */
export const sameText = (presented: string | undefined, expected: string): boolean =>
  presented !== undefined && timingSafeEqual(sha256(presented), sha256(expected))

/**
 * Tells whether a text has the expected one at this place. It looks at all of it, so the time does not tell where they
 * differ. Each check of a token comes by here, so it makes no buffers, as Node's comparison would need them.
 */
export const hasTextAt = (text: string, at: number, expected: string): boolean => {
  let difference = 0
  for (let i = 0; i < expected.length; i++) difference |= text.charCodeAt(at + i) ^ expected.charCodeAt(i)
  return difference === 0
}

const sha256 = (text: string): Uint8Array => hash("sha256", text, "buffer")

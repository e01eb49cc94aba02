import { hash } from "node:crypto"

/**
 * Tests for a code verifier: 43 to 128 printable ASCII characters. RFC 7636 §4.1 has fewer, but its §4.6 only compares,
 * and a verifier that is padded proves no less.
 */
export const isVerifier = (text: string): boolean => /^[\x20-\x7e]{43,128}$/.test(text)

/** S256 challenge of a code verifier (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string => hash("sha256", verifier, "base64url")

import { hash } from "node:crypto"

/** Tests for a code verifier: 43 to 128 unreserved characters (RFC 7636 §4.1). */
export const isVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/** The S256 challenge of a code verifier (RFC 7636 §4.2). */
export const challengeOf = (verifier: string): string => hash("sha256", verifier, "base64url")

import { type KeyObject, sign as signWith, verify as verifyWith } from "node:crypto"

/**
 * Signature of a JWT in base64url (RFC 7515 §5.1) by `ES256`, `EdDSA` or `RS256` (RFC 7518 §3.1, RFC 8037 §3.1). In the
 * text each character stands for one byte. It is made on this thread: another one costs more than it takes off this one
 * (docs/decisions/speed.md).
 */
export const sign = (algorithm: string, key: KeyObject, text: string): string => {
  // A bare key object with OpenSSL's own encoding takes half as long as `{ key, dsaEncoding: "ieee-p1363" }`.
  const signature = signWith(digestOf(algorithm), Buffer.from(text, "latin1"), key)
  return (algorithm === "ES256" ? fromDer(signature) : signature).toString("base64url")
}

/** Verifies the signature at the end of a JWT (RFC 7515 §5.2). */
export const verify = (algorithm: string, key: KeyObject, jwt: string): boolean => {
  const end = jwt.lastIndexOf(".")
  const signature = Buffer.from(jwt.slice(end + 1), "base64url")
  const input = Buffer.from(jwt.slice(0, end), "latin1")
  return verifyWith(digestOf(algorithm), input, { key, dsaEncoding: "ieee-p1363" }, signature)
}

const digestOf = (algorithm: string): string | null => algorithm === "EdDSA" ? null : "sha256"

/** Two integers of a DER signature (RFC 3279 §2.2.3) side by side, 32 bytes each (RFC 7518 §3.4). */
const fromDer = (der: Buffer): Buffer => {
  const signature = Buffer.alloc(64)
  // The sequence has fewer than 128 bytes: its tag and length, then the tag, length and value of each integer.
  let at = 3
  for (const end of [32, 64]) {
    const length = der.readUInt8(at)
    // The value may have 33 bytes, of which the first is zero, or fewer than 32.
    const value = der.subarray(at + 1 + Math.max(0, length - 32), at + 1 + length)
    value.copy(signature, end - value.length)
    at += length + 2
  }
  return signature
}

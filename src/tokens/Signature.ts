import { type KeyObject, sign as signWith } from "node:crypto"

/** The signature of RFC 7515 §5.1 over the input, by the algorithm of RFC 7518 §3.1 or RFC 8037 §3.1. */
export const sign = (algorithm: string, privateKey: KeyObject, input: string): string => {
  // A bare key object and OpenSSL's own encoding take half as long as `{ key, dsaEncoding: "ieee-p1363" }`.
  const signature = signWith(algorithm === "EdDSA" ? null : "sha256", Buffer.from(input), privateKey)
  return (algorithm === "ES256" ? fromDer(signature) : signature).toString("base64url")
}

/** The two integers of a DER signature (RFC 3279 §2.2.3) side by side, 32 bytes each (RFC 7518 §3.4). */
const fromDer = (der: Buffer): Buffer => {
  const signature = Buffer.alloc(64)
  // A sequence of less than 128 bytes: tag and length, then tag, length and value of each integer.
  let at = 3
  for (const end of [32, 64]) {
    const length = der.readUInt8(at)
    // At most one zero byte before 32 others; at least none.
    const value = der.subarray(at + 1 + Math.max(0, length - 32), at + 1 + length)
    value.copy(signature, end - value.length)
    at += length + 2
  }
  return signature
}

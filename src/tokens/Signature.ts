import { Effect } from "effect"
import { type KeyObject, sign as signWith } from "node:crypto"

/**
 * The signature of RFC 7515 §5.1 over the input, by the algorithm of RFC 7518 §3.1 or RFC 8037 §3.1. It is made on
 * another thread: a batch of tokens is signed while this one goes on with the requests.
 */
export const sign = (algorithm: string, privateKey: KeyObject, input: string): Effect.Effect<Buffer> =>
  Effect.callback((resume) =>
    // A bare key object and OpenSSL's own encoding take half as long as `{ key, dsaEncoding: "ieee-p1363" }`.
    signWith(algorithm === "EdDSA" ? null : "sha256", Buffer.from(input), privateKey, (error, signature) =>
      resume(
        error === null ? Effect.succeed(algorithm === "ES256" ? fromDer(signature) : signature) : Effect.die(error)
      ))
  )

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

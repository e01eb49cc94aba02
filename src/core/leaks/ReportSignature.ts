import { createPublicKey, type KeyObject, verify } from "node:crypto"

/**
 * Tells whether a report has the signature of a key: ECDSA over P-256 with SHA-256 of the bytes that were sent, as
 * GitHub's secret scanning partner programme has it (ECDSA-NIST-P256V1-SHA256). The signature is DER in base64.
 */
export const isSigned = (report: Uint8Array, signature: string, key: KeyObject): boolean => {
  const bytes = Buffer.from(signature, "base64")
  // No signature of this curve is longer, and the library need not see what is none.
  if (bytes.length === 0 || bytes.length > 72) return false
  try {
    return verify("sha256", report, key, bytes)
  } catch {
    return false
  }
}

/** Key of the one kind that signs reports; `undefined` for any other text. */
export const readKey = (pem: string): KeyObject | undefined => {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined
  } catch {
    return undefined
  }
}

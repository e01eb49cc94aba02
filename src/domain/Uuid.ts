import { randomUUID } from "node:crypto"

/** Makes a UUIDv7 (RFC 9562 §5.7) of the instant: it sorts by time, and its other 74 bits are random. */
export const v7 = (epochMillis: number): string => {
  const time = epochMillis.toString(16).padStart(12, "0")
  // A UUIDv4 has its random bits and its variant where a UUIDv7 has them.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** 16 bytes of a UUID in its usual text form. */
export const format = (bytes: Buffer): string => {
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** 16 bytes behind the text form. */
export const bytes = (uuid: string): Buffer =>
  Buffer.from(
    uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24),
    "hex"
  )

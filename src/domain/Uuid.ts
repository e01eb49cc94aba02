import { randomFillSync } from "node:crypto"

/** A UUIDv7 (RFC 9562 §5.7) of the instant: sorts by time, and its other 74 bits are random. */
export const v7 = (epochMillis: number): string => {
  const bytes = randomFillSync(Buffer.allocUnsafe(16))
  bytes.writeUIntBE(epochMillis, 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return format(bytes)
}

/** The 16 bytes of a UUID in its usual text form. */
export const format = (bytes: Buffer): string => {
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The 16 bytes behind the text form. */
export const bytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex")

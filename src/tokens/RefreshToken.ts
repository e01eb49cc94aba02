import { createHmac, hash, timingSafeEqual } from "node:crypto"
import * as Credential from "../domain/Credential.ts"
import { GrantId } from "../domain/Ids.ts"
import * as Uuid from "../domain/Uuid.ts"
import type { Grant } from "./Grant.ts"
import type { RefreshKey } from "./RefreshKeys.ts"

/**
 * A refresh token is no row: it names its grant, holds the grant's private handle and its own generation, and carries a
 * MAC under a key of the server. The database knows a digest of the handle only, so neither it nor the key alone is
 * enough to make one (design, the grant is the unit).
 */
export interface RefreshToken {
  readonly grantId: GrantId
  readonly handle: Buffer
  readonly generation: number
}

export const handleLength = 16

// Offsets in the 56 bytes of a token: grant, handle, generation, key, MAC.
const [handleAt, generationAt, keyAt, macAt, end] = [16, 32, 36, 40, 56] as const

/** The text of a token; the same token under the same key always has the same text. */
export const write = (token: RefreshToken, keyId: string, key: RefreshKey): string => {
  const bytes = Buffer.allocUnsafe(end)
  Uuid.bytes(token.grantId).copy(bytes)
  token.handle.copy(bytes, handleAt)
  bytes.writeUInt32BE(token.generation, generationAt)
  bytes.write(keyId, keyAt, "hex")
  mac(bytes, key).copy(bytes, macAt)
  return Credential.seal("refreshToken", bytes.toString("base64url"))
}

/** What a genuine token says; `undefined` for garbage, which costs no database access. */
export const read = (
  text: string,
  findKey: (keyId: string) => RefreshKey | undefined
): RefreshToken | undefined => {
  const bytes = open(text)
  if (bytes === undefined) return undefined
  const key = findKey(bytes.toString("hex", keyAt, macAt))
  if (key === undefined || !timingSafeEqual(mac(bytes, key), bytes.subarray(macAt))) return undefined
  return {
    grantId: GrantId.make(Uuid.format(bytes.subarray(0, handleAt))),
    handle: bytes.subarray(handleAt, generationAt),
    generation: bytes.readUInt32BE(generationAt)
  }
}

/** The id of the key that the token names, whether or not it is genuine. */
export const keyOf = (text: string): string | undefined => open(text)?.toString("hex", keyAt, macAt)

/** Whether the token was issued for this grant. */
export const belongs = ({ grantId, handle }: RefreshToken, grant: Grant): boolean =>
  grantId === grant.id && timingSafeEqual(digest(handle), grant.handleDigest)

/** What the database keeps of a handle. */
export const digest = (handle: Buffer): Uint8Array => hash("sha256", handle, "buffer")

const open = (text: string): Buffer | undefined => {
  const body = Credential.open("refreshToken", text)
  if (body === undefined) return undefined
  const bytes = Buffer.from(body, "base64url")
  return bytes.length === end && bytes.toString("base64url") === body ? bytes : undefined
}

const mac = (bytes: Buffer, key: RefreshKey): Buffer =>
  createHmac("sha256", key).update(bytes.subarray(0, macAt)).digest().subarray(0, end - macAt)

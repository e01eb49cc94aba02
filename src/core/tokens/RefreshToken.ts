import { randomFillSync, timingSafeEqual } from "node:crypto"
import { hasTextAt } from "../../domain/ConstantTime.ts"
import * as Credential from "../../domain/Credential.ts"
import { GrantId } from "../../domain/Ids.ts"
import * as Uuid from "../../domain/Uuid.ts"
import type { Grant } from "../grants/Grant.ts"
import type { RefreshKey } from "../keys/RefreshKeys.ts"

/**
 * Contents of a refresh token, which is not a row in the database: it names its grant, holds the grant's private handle
 * and its own generation, and carries a MAC under a key of the server. The database holds only a digest of the handle,
 * so neither the database nor the key alone is enough to forge one (`docs/design.md`).
 */
export interface RefreshToken {
  readonly grantId: GrantId
  readonly handle: Buffer
  readonly generation: number
}

export const handleLength = 16

/** A new handle. The CSPRNG is asked for 64 at a time, because each call to it costs as much as two hashes. */
export const newHandle = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const handle = Buffer.from(pool.subarray(used, used + handleLength))
  pool.fill(0, used, used += handleLength)
  return handle
}
const pool = Buffer.alloc(64 * handleLength)
let used = pool.length

// Offsets in the 56 bytes of a token, which begin with the grant id: handle, generation, key id, MAC.
const [handleAt, generationAt, keyAt, macAt, end] = [16, 32, 36, 40, 56] as const

/** Text of a token; the same token under the same key always has the same text. */
export const write = (token: RefreshToken, keyId: string, key: RefreshKey): string => {
  const bytes = Buffer.allocUnsafe(end)
  Uuid.bytes(token.grantId).copy(bytes)
  token.handle.copy(bytes, handleAt)
  bytes.writeUInt32BE(token.generation, generationAt)
  bytes.write(keyId, keyAt, "hex")
  bytes.write(macOf(bytes, key), macAt, "latin1")
  return Credential.format("refreshToken", bytes.toString("base64url"))
}

/** Reads a token and verifies its MAC; `undefined` if it is not genuine, which is found out without the database. */
export const read = (
  text: string,
  findKey: (keyId: string) => RefreshKey | undefined
): RefreshToken | undefined => {
  const bytes = decode(text)
  if (bytes === undefined) return undefined
  const key = findKey(bytes.toString("hex", keyAt, macAt))
  if (key === undefined) return undefined
  if (!hasTextAt(bytes.toString("latin1", macAt), 0, macOf(bytes, key))) return undefined
  return {
    grantId: GrantId.make(Uuid.format(bytes.subarray(0, handleAt))),
    handle: bytes.subarray(handleAt, generationAt),
    generation: bytes.readUInt32BE(generationAt)
  }
}

/** Id of the key that the token names, whether or not it is genuine. */
export const keyIdOf = (text: string): string | undefined => decode(text)?.toString("hex", keyAt, macAt)

/** Tells whether the token was issued for this grant. */
export const belongs = ({ grantId, handle }: RefreshToken, grant: Grant): boolean =>
  grantId === grant.id && timingSafeEqual(digest(handle), grant.handleDigest)

/** Digest of a handle, which is all that the database holds of it. */
export const digest = (handle: Buffer): Uint8Array => Credential.digest(handle)

/** MAC of what comes before it, cut to 128 bits. */
const macOf = (bytes: Buffer, key: RefreshKey): string =>
  key.mac(bytes.toString("latin1", 0, macAt), "binary").slice(0, end - macAt)

const decode = (text: string): Buffer | undefined => {
  const body = Credential.parse("refreshToken", text)
  if (body === undefined) return undefined
  const bytes = Buffer.from(body, "base64url")
  return bytes.length === end && bytes.toString("base64url") === body ? bytes : undefined
}

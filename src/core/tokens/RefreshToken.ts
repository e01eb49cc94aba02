import { randomFillSync, timingSafeEqual } from "node:crypto"
import * as Credential from "../../domain/Credential.ts"
import { GrantId } from "../../domain/Ids.ts"
import * as Uuid from "../../domain/Uuid.ts"
import type { Grant } from "../grants/Grant.ts"
import type { RefreshKey } from "../keys/RefreshKeys.ts"
import { sign, type Signing } from "../keys/Signature.ts"

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

/** A new handle from the platform's CSPRNG, which is asked for many at a time: a call costs as much as two hashes. */
export const newHandle = (): Buffer => {
  if (taken === stock.length) {
    randomFillSync(stock)
    taken = 0
  }
  const handle = Buffer.from(stock.subarray(taken, taken + handleLength))
  stock.fill(0, taken, taken += handleLength)
  return handle
}
const stock = Buffer.alloc(64 * handleLength)
let taken = stock.length

// Offsets in the 56 bytes of a token: grant, handle, generation, key, MAC.
const [handleAt, generationAt, keyAt, macAt, end] = [16, 32, 36, 40, 56] as const

/** What a MAC is to be made of. */
export const unsigned = (token: RefreshToken, keyId: string, key: RefreshKey): Signing => {
  const bytes = Buffer.allocUnsafe(macAt)
  Uuid.bytes(token.grantId).copy(bytes)
  token.handle.copy(bytes, handleAt)
  bytes.writeUInt32BE(token.generation, generationAt)
  bytes.write(keyId, keyAt, "hex")
  return { algorithm: "HS256", key, input: bytes.toString("latin1") }
}

/** The text of a token with its MAC; the same token under the same key always has the same text. */
export const write = ({ input }: Signing, mac: string): string => {
  const bytes = Buffer.alloc(end)
  bytes.write(input, "latin1")
  bytes.write(mac, macAt, "base64url")
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
  if (key === undefined) return undefined
  const mac = sign({ algorithm: "HS256", key, input: bytes.toString("latin1", 0, macAt) })
  if (!timingSafeEqual(mac.subarray(0, end - macAt), bytes.subarray(macAt))) return undefined
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
export const digest = (handle: Buffer): Uint8Array => Credential.digest(handle)

const open = (text: string): Buffer | undefined => {
  const body = Credential.open("refreshToken", text)
  if (body === undefined) return undefined
  const bytes = Buffer.from(body, "base64url")
  return bytes.length === end && bytes.toString("base64url") === body ? bytes : undefined
}

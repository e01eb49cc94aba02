import { createHash } from "node:crypto"
import { handleLength } from "./RefreshToken.ts"

// A refresh token that another server issued, of which the import file may hold no more than the SHA-256. It stands for
// generation 0 of a grant on this server; with the first refresh the app gets a refresh token of this server.

/** Private handle of the grant that the token stands for, derived from the token's SHA-256. */
export const handle = (sha256: Uint8Array): Buffer =>
  createHash("sha256").update("slotkey imported refresh token\0").update(sha256).digest().subarray(0, handleLength)

/**
 * Key under which the token is stored. It is a digest of the SHA-256, because the handle can be derived from the
 * SHA-256 itself.
 */
export const digest = (sha256: Uint8Array): Uint8Array => createHash("sha256").update(sha256).digest()

/** Same as text, for a map. */
export const mapKey = (digest: Uint8Array): string => Buffer.from(digest).toString("base64url")

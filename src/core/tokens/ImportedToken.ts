import { createHash } from "node:crypto"
import { handleLength } from "./RefreshToken.ts"

// Of a refresh token of another server we know its SHA-256, maybe no more. It stands for generation 0 of a grant of ours;
// from the first refresh on the app has a token of our own.

/** The private handle of the grant that the token stands for. */
export const handle = (sha256: Uint8Array): Buffer =>
  createHash("sha256").update("slotkey imported refresh token\0").update(sha256).digest().subarray(0, handleLength)

/** Under what the token is found: not its digest, of which the handle could be made. */
export const digest = (sha256: Uint8Array): Uint8Array => createHash("sha256").update(sha256).digest()

/** The same as a key of maps. */
export const name = (digest: Uint8Array): string => Buffer.from(digest).toString("base64url")

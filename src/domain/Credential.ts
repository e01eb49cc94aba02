import { Effect, Redacted } from "effect"
import { hash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import { type Kind, prefixes } from "./CredentialKind.ts"

export { type Kind, prefixes }

/**
 * A bearer credential that secret scanners recognise: a prefix that names its kind, 43 base62 characters (256 random
 * bits) and six that hold their CRC-32, all of `[A-Za-z0-9_]` so that form encoding leaves it as it is.
 */
export type Credential = Redacted.Redacted

const bodyLength = 43
const checksumLength = 6

/** A new credential from the platform's CSPRNG. */
export const make = (kind: Kind): Effect.Effect<Credential> =>
  Effect.sync(() => Redacted.make(format(kind, base62(randomBytes(32), bodyLength)), { label: kind }))

/** Puts prefix and checksum around a body. */
export const format = (kind: Kind, body: string): string => {
  const text = prefixes[kind] + body
  return text + checksum(text)
}

/** Body between prefix and checksum, or `undefined` when either is wrong: so garbage costs no database access. */
export const parse = (kind: Kind, text: string): string | undefined => {
  if (!text.startsWith(prefixes[kind])) return undefined
  const end = text.length - checksumLength
  return end > prefixes[kind].length && checksum(text.slice(0, end)) === text.slice(end)
    ? text.slice(prefixes[kind].length, end)
    : undefined
}

/** SHA-256 under which a credential is stored. It has 256 random bits, so it needs no salt and no stretching. */
export const digest = (credential: string | Uint8Array): Uint8Array =>
  // Going through hex takes half the time: for a binary digest Node allocates a buffer outside its pool.
  Buffer.from(hash("sha256", credential, "hex"), "hex")

/** Last four characters, by which the owner tells credentials apart. */
export const lastFour = (text: string): string => text.slice(-4)

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const base62 = (bytes: Uint8Array, length: number): string => {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
  let text = ""
  for (let i = 0; i < length; i++) {
    text = alphabet.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}

const checksum = (text: string): string => {
  let rest = crc32(text)
  let out = ""
  for (let i = 0; i < checksumLength; i++) {
    out = alphabet.charAt(rest % 62) + out
    rest = Math.floor(rest / 62)
  }
  return out
}

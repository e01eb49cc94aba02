import { pbkdf2, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

// PBKDF2 (RFC 8018 §5.2) in the spellings of the servers that keep secrets so: the PHC format (Ory Hydra), the same
// without names (Authelia, passlib, whose base64 has a dot for a plus), and Django's, whose salt is a text.

export const words =
  "$pbkdf2-sha256$i=…,l=…$salt$hash or pbkdf2_sha256$iterations$salt$hash, of 2000000 iterations at most"

/** Tells whether a text has one of the spellings, with parameters within the bounds. */
export const isOfForm = (text: string): boolean => {
  const parsed = parse(text)
  return parsed !== undefined && parsed.iterations >= 1 && parsed.iterations <= 2_000_000 &&
    parsed.salt.length >= 4 && parsed.hash.length >= 16 && parsed.hash.length === (parsed.length ?? parsed.hash.length)
}

/** Tells whether a secret has the digest. It takes long, off this thread. */
export const verify = async (digest: string, secret: string): Promise<boolean> => {
  const parsed = parse(digest)
  if (parsed === undefined) return false
  const { algorithm, hash, iterations, salt } = parsed
  return timingSafeEqual(await derive(secret, salt, iterations, hash.length, algorithm), hash)
}

interface Pbkdf2 {
  readonly algorithm: string
  readonly iterations: number
  readonly salt: Buffer
  readonly hash: Buffer
  /** Length of the hash in bytes, where the text says it. */
  readonly length: number | undefined
}

const base64 = "[A-Za-z0-9+/._-]{5,172}={0,2}"
const phc = new RegExp(
  `^\\$pbkdf2(?:-(sha1|sha256|sha512))?\\$(?:i=)?(\\d{1,8})(?:,l=(\\d{1,3}))?\\$(${base64})\\$(${base64})$`
)
const django = new RegExp(`^pbkdf2_(sha1|sha256|sha512)\\$(\\d{1,8})\\$([A-Za-z0-9]{4,64})\\$(${base64})$`)

const parse = (text: string): Pbkdf2 | undefined => {
  const [, name, iterations, length, salt = "", hash = ""] = phc.exec(text) ?? []
  if (iterations !== undefined) {
    const bytes = length === undefined ? undefined : Number(length)
    return {
      algorithm: name ?? "sha1",
      iterations: Number(iterations),
      salt: decode(salt),
      hash: decode(hash),
      length: bytes
    }
  }
  const [, algorithm, count, saltText = "", digest = ""] = django.exec(text) ?? []
  if (algorithm === undefined) return undefined
  return { algorithm, iterations: Number(count), salt: Buffer.from(saltText), hash: decode(digest), length: undefined }
}

const decode = (text: string): Buffer => Buffer.from(text.replaceAll(".", "+"), "base64")

const derive = promisify(pbkdf2)

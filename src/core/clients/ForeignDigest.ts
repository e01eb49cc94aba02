import { scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

// Slow digests under which another server kept the secrets of its clients. Each carries its parameters, and those that an
// import may bring are bounded, because each check of a wrong secret costs as much as they say.

/** The digests that can be verified here, each by the name that an import file gives it, with its form in words. */
export const forms = {
  bcrypt: "$2b$… of cost 14 at most",
  scrypt: "$scrypt$ln=…,r=…,p=…$salt$hash, of 128 MiB and p=4 at most",
  argon2: "$argon2id$v=19$m=…,t=…,p=…$salt$hash, of m=131072, t=10 and p=8 at most"
} as const
export type Form = keyof typeof forms

/** Tells whether a text has the form, with parameters within the bounds. */
export const isOfForm = (form: Form, text: string): boolean => {
  switch (form) {
    case "bcrypt": {
      const [, cost = 0] = (bcryptText.exec(text) ?? []).map(Number)
      return cost >= 4 && cost <= 14
    }
    case "scrypt": {
      const parsed = parseScrypt(text)
      return parsed !== undefined && parsed.cost >= 2 && parsed.blockSize >= 1 && parsed.parallelization >= 1 &&
        parsed.parallelization <= 4 && memoryOf(parsed) <= 128 * 2 ** 20
    }
    case "argon2": {
      const [, memory = 0, passes = 0, lanes = 0] = (argon2Text.exec(text) ?? []).map(Number)
      return lanes >= 1 && lanes <= 8 && passes >= 1 && passes <= 10 && memory >= 8 * lanes && memory <= 131_072
    }
  }
}

/** Tells whether a secret has the digest. It takes long, off this thread. */
export const verify = async (digest: string, secret: string): Promise<boolean> => {
  if (digest.startsWith("$scrypt$")) return verifyScrypt(digest, secret)
  // Loaded when they are needed: their native code is missing where a program leaves optional packages out.
  return digest.startsWith("$argon2")
    ? (await import("@node-rs/argon2")).verify(digest, secret)
    : (await import("@node-rs/bcrypt")).verify(secret, digest)
}

// 16 bytes of salt, so the last of its characters has two bits only, and 23 of the digest.
const bcryptText = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{31}$/
const argon2Text =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/
const scryptText = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

interface Scrypt {
  readonly cost: number
  readonly blockSize: number
  readonly parallelization: number
  readonly salt: Buffer
  readonly hash: Buffer
}

const parseScrypt = (text: string): Scrypt | undefined => {
  const [, ln, r, p, salt = "", hash = ""] = scryptText.exec(text) ?? []
  if (ln === undefined) return undefined
  return {
    cost: 2 ** Number(ln),
    blockSize: Number(r),
    parallelization: Number(p),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64")
  }
}

const memoryOf = ({ blockSize, cost, parallelization }: Scrypt) => 128 * blockSize * (cost + parallelization)

const verifyScrypt = async (digest: string, secret: string): Promise<boolean> => {
  const parsed = parseScrypt(digest)
  if (parsed === undefined) return false
  const { blockSize, cost, hash, parallelization, salt } = parsed
  const options = { cost, blockSize, parallelization, maxmem: 2 * memoryOf(parsed) }
  return timingSafeEqual(await scryptAsync(secret, salt, hash.length, options), hash)
}

const scryptAsync: (secret: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt)

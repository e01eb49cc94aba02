import { hash, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import * as Pbkdf2Digest from "./Pbkdf2Digest.ts"

// Digests under which another server kept the secrets of its clients, and that are not ours (SHA-256). The slow ones
// carry their parameters, and those that an import may bring are bounded, because each check of a wrong secret costs as
// much as they say.

/** A kind of digest that can be verified here. */
interface Kind {
  /** Form, with its bounds, in words. */
  readonly words: string
  /** Tells whether a text has the form, with parameters within the bounds. */
  readonly isOfForm: (text: string) => boolean
  /** Tells whether a secret has the digest, which is of the form. It may take long, off this thread. */
  readonly verify: (digest: string, secret: string) => Promise<boolean>
}

// 16 bytes of salt, so the last of its characters has two bits only, and 23 of the digest.
const bcryptText = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{31}$/
const argon2Text =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/
const scryptText = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

// The libraries are loaded when they are needed: their native code is missing where a program leaves optional packages
// out.

const bcrypt: Kind = {
  words: "$2b$… of cost 14 at most",
  isOfForm: (text) => {
    const [, cost = 0] = (bcryptText.exec(text) ?? []).map(Number)
    return cost >= 4 && cost <= 14
  },
  verify: async (digest, secret) => (await import("@node-rs/bcrypt")).verify(secret, digest)
}

const scryptKind: Kind = {
  words: "$scrypt$ln=…,r=…,p=…$salt$hash, of 128 MiB and p=4 at most",
  isOfForm: (text) => {
    const parsed = parseScrypt(text)
    return parsed !== undefined && parsed.cost >= 2 && parsed.blockSize >= 1 && parsed.parallelization >= 1 &&
      parsed.parallelization <= 4 && memoryOf(parsed) <= 128 * 2 ** 20
  },
  verify: async (digest, secret) => {
    const parsed = parseScrypt(digest)
    if (parsed === undefined) return false
    const { blockSize, cost, hash, parallelization, salt } = parsed
    const options = { cost, blockSize, parallelization, maxmem: 2 * memoryOf(parsed) }
    return timingSafeEqual(await scryptAsync(secret, salt, hash.length, options), hash)
  }
}

const argon2: Kind = {
  words: "$argon2id$v=19$m=…,t=…,p=…$salt$hash, of m=131072, t=10 and p=8 at most",
  isOfForm: (text) => {
    const [, memory = 0, passes = 0, lanes = 0] = (argon2Text.exec(text) ?? []).map(Number)
    return lanes >= 1 && lanes <= 8 && passes >= 1 && passes <= 10 && memory >= 8 * lanes && memory <= 131_072
  },
  verify: async (digest, secret) => (await import("@node-rs/argon2")).verify(digest, secret)
}

/** A plain SHA-512, as Duende IdentityServer keeps it. */
const sha512 = (encoding: "hex" | "base64", form: RegExp, words: string): Kind => ({
  words,
  isOfForm: (text) => form.test(text),
  verify: (digest, secret) =>
    Promise.resolve(timingSafeEqual(Buffer.from(hash("sha512", secret, "hex"), "hex"), Buffer.from(digest, encoding)))
})

/** Kinds of digests, each by the name that an import file gives it. */
export const kinds = {
  bcrypt,
  scrypt: scryptKind,
  argon2,
  pbkdf2: Pbkdf2Digest,
  "sha512-hex": sha512("hex", /^[0-9a-f]{128}$/i, "128 hexadecimal digits"),
  "sha512-base64": sha512("base64", /^[A-Za-z0-9+/_-]{86}(?:==)?$/, "86 characters of base64")
} satisfies Record<string, Kind>
export type Form = keyof typeof kinds

/** Tells whether a secret has the digest, whatever kind that is of. */
export const verify = (digest: string, secret: string): Promise<boolean> =>
  Object.values(kinds).find(({ isOfForm }) => isOfForm(digest))?.verify(digest, secret) ?? Promise.resolve(false)

/**
 * Algorithm of a text that is a digest by its form, whether or not it can be verified here; `undefined` for any other.
 * Digits alone are none: many a secret has 64 hexadecimal ones.
 */
export const algorithmOf = (text: string): string | undefined => digestForms.find(([form]) => form.test(text))?.[1]

const digestForms: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\$2[abxy]?\$\d\d\$/, "bcrypt"],
  [/^\$argon2(?:id|i|d)\$/, "argon2"],
  [/^\$(?:scrypt|s0|7)\$/, "scrypt"],
  [/^\$pbkdf2(?:-sha\d+)?\$|^pbkdf2_sha\d+\$|^pbkdf2:sha\d+:/, "pbkdf2"],
  [/^\$5\$/, "sha256-crypt"],
  [/^\$6\$/, "sha512-crypt"],
  [/^\$(?:1|apr1)\$/, "md5-crypt"],
  [/^\$(?:y|gy)\$/, "yescrypt"],
  [/^(?:bcrypt_sha256|bcrypt|argon2|scrypt|md5|sha1)\$/, "a hash of Django"],
  [/^\{[A-Za-z0-9-]{3,20}\}./, "a hash with its scheme in braces"]
]

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

const scryptAsync: (secret: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt)

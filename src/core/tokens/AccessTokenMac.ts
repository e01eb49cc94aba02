import { hash } from "node:crypto"
import { hasTextAt } from "../../domain/ConstantTime.ts"
import { Hmac } from "../keys/Hmac.ts"
import type { LoadedKey } from "../keys/KeyRing.ts"
import type { MacKey } from "../keys/MacKeys.ts"
import type { SigningKey } from "../keys/SigningKeys.ts"
import * as Claims from "./AccessTokenClaims.ts"

/**
 * MAC in the access tokens under one signing key and one MAC key, by which this server knows its own tokens without a
 * public-key operation. It is a claim, so the signature covers it, and verifiers of the signature need to know nothing
 * of it.
 *
 * All such tokens begin with the same text: the header, `iss` and `aud`. The key of the MAC is derived for that text,
 * so the MAC vouches for it, too. The rest ends with the claim `mac`: the id of the MAC key, which the MAC covers, and
 * the MAC. Spaces make each part a multiple of three bytes, so that base64url can be cut between them.
 */
export class AccessTokenMac {
  readonly signingKey: LoadedKey<SigningKey>
  readonly macKeyId: string
  readonly #head: string
  /** End of what the MAC covers. */
  readonly #keyName: string
  readonly #signatureLength: number
  readonly #hmac: Hmac

  constructor(signingKey: LoadedKey<SigningKey>, macKey: LoadedKey<MacKey>, audience: Claims.Audience) {
    const { algorithm, id, publicJwk } = signingKey
    this.signingKey = signingKey
    this.macKeyId = macKey.id
    this.#head = `${encode(JSON.stringify({ alg: algorithm, typ: Claims.typ, kid: id }))}.` +
      encode(aligned(JSON.stringify(audience).slice(0, -1), ","))
    this.#keyName = encode(`"${macKey.id}`)
    // A signature by RSA is as long as the modulus; the others have 64 bytes.
    this.#signatureLength = publicJwk?.n?.length ?? 86
    this.#hmac = Hmac.derived(macKey.key, `slotkey access token mac 1 ${hash("sha256", this.#head, "base64url")}`)
  }

  /** Signing input of a token with these claims. */
  write(claims: Claims.Claims): string {
    const covered = encode(aligned(JSON.stringify(claims).slice(1, -1), `,"mac":"${this.macKeyId}`))
    return this.#head + covered + this.#end(covered)
  }

  /** Finds the parts of a token that names both keys; `undefined` for any other text. */
  read(text: string): Parts | undefined {
    const macAt = text.lastIndexOf(".") - macLength
    const isOurs = text.length === macAt + macLength + 1 + this.#signatureLength &&
      text.startsWith(this.#keyName, macAt - this.#keyName.length) && text.startsWith(this.#head) &&
      // The MAC does not cover the signature. What is no base64url there is a token for nobody (RFC 7515 §2).
      isBase64url(text.slice(-this.#signatureLength)) &&
      // The MAC is over one byte for each character, and a form can hold other characters.
      Buffer.byteLength(text) === text.length
    return isOurs ? { covered: text.slice(this.#head.length, macAt), macAt } : undefined
  }

  /** Claims of a token, without those of its head; none if its MAC is wrong. */
  claims(text: string, { covered, macAt }: Parts): unknown {
    if (!hasTextAt(text, macAt, this.#end(covered))) return undefined
    return JSON.parse(`{${Buffer.from(covered, "base64url").toString()}"}`)
  }

  /** Rest of the signing input after the covered part: the MAC, cut to 132 bits. */
  #end(covered: string): string {
    end.write(this.#hmac.mac(covered, "base64url"), 0, end.length - 2, "latin1")
    return end.toString("base64url")
  }
}

/** Parts of a token that names both keys. */
interface Parts {
  readonly covered: string
  readonly macAt: number
}

/** Ids of the keys that a token names, whether or not it is genuine; `macKey` is none in a token without a MAC. */
export const keysOf = (text: string): { readonly signingKey: string; readonly macKey: string | undefined } => {
  const [header = "", payload = ""] = text.split(".", 2)
  // 56 characters stand for 42 bytes.
  const end = payload.length % 4 === 0 ? Buffer.from(payload.slice(-56), "base64url").toString("latin1") : ""
  return {
    signingKey: /"kid":"([\w-]+)"/.exec(Buffer.from(header, "base64url").toString("latin1"))?.[1] ?? "",
    macKey: /,"mac":"([\w-]{8})[\w-]{22}"\}$/.exec(end)?.[1]
  }
}

/** Audience that a token names at its head, whether or not it is genuine; `undefined` of a text of another form. */
export const audienceOf = (text: string): string | undefined => {
  const start = text.indexOf(".") + 1
  const head = Buffer.from(text.slice(start, start + mostOfHead), "base64url").toString()
  const [, quoted] = /^\{"iss":"(?:[^"\\]|\\.)*","aud":("(?:[^"\\]|\\.)*")/.exec(head) ?? []
  try {
    return quoted === undefined ? undefined : String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** Characters in which the issuer and the audience stand. */
const mostOfHead = 4_000

const isBase64url = (text: string): boolean => /^[\w-]+$/.test(text)

const encode = (text: string): string => Buffer.from(text).toString("base64url")

/** Two texts, with spaces between them that make their bytes a multiple of three. */
const aligned = (start: string, end: string): string =>
  start + " ".repeat((3 - (Buffer.byteLength(start) + end.length) % 3) % 3) + end

// Room for the MAC and the end of the JSON, and the length of that in base64url.
const end = Buffer.from(`${"-".repeat(22)}"}`)
const macLength = 32

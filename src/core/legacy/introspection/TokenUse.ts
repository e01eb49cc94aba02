import { Option, Schema } from "effect"
import { decodeJwt, decodeProtectedHeader } from "jose"
import type { ActiveToken } from "./PreviousServer.ts"

/** What a token may be used for, as far as somebody says so. */
type TokenUse = "refresh" | "other" | "unsaid"

/**
 * Tells whether a token that the previous server calls active is a refresh token. `token_type_hint` does not: a server
 * goes on looking among its other tokens (RFC 7662 §2.1), some look at no others, and an access token that passed for a
 * refresh token would live for a year in place of minutes. So somebody has to say it.
 *
 * `token_use` is Hydra's word, `typ` is Keycloak's (`Refresh`, `Offline`). Where the answer has neither, the token's
 * own claims count if it is a JWT: it is genuine if it is active. `token_type` comes last: RFC 7662 has it for the type
 * of access tokens, and some say `Bearer` there of refresh tokens, too, which says nothing.
 */
export const tokenUse = (text: string, { token_type, token_use, typ }: ActiveToken): TokenUse => {
  const own = claimsOf(text)
  const said = [token_use, typ, own.token_use, own.typ].find(isWord) ??
    [own.token_type, token_type].find((word) => isWord(word) && !accessTokenTypes.test(word))
  if (!isWord(said)) return "unsaid"
  return refreshWords.test(said) ? "refresh" : "other"
}

/** The header of a JWT has `JWT` as its `typ`, and some servers repeat that among the claims. */
const isWord = (word: string | null | undefined): word is string =>
  word !== undefined && word !== null && word !== "" && word !== "JWT"

const refreshWords = /^(?:refresh|offline)(?:[-_ ]?token)?$/i

/** Registered types of access tokens (RFC 6749 §7.1, RFC 9449, RFC 8693). */
const accessTokenTypes = /^(?:bearer|dpop|pop|mac|n_a)$/i

/** Holds for a JWT that says in its header that it is an access token (RFC 9068 §2.1), as those of this server do. */
export const isAccessToken = (text: string): boolean =>
  Option.exists(header(text), ({ typ }) => /^(?:application\/)?at\+jwt$/i.test(typ ?? ""))

const header = Option.liftThrowable(decodeProtectedHeader)

const word = Schema.optionalKey(Schema.NullOr(Schema.String))
const OwnClaims = Schema.Struct({ token_use: word, typ: word, token_type: word })

const claimsOf = (text: string): typeof OwnClaims.Type =>
  Option.liftThrowable(decodeJwt)(text).pipe(
    Option.flatMap(Schema.decodeUnknownOption(OwnClaims)),
    Option.getOrElse(() => ({}))
  )

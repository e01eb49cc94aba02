import { DateTime, Option, Schema } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { AccessToken, VerifiedToken } from "./AccessToken.ts"

/** Media type of access tokens, which sets them apart from other JWTs of the issuer (RFC 9068 §2.1). */
export const typ = "at+jwt"

/** Claims that all tokens of a server share. */
export interface Audience {
  readonly iss: string
  readonly aud: string
}

const Claims = Schema.Struct({
  sub: UserId,
  client_id: ClientId,
  iat: Schema.Finite,
  exp: Schema.Finite,
  jti: Schema.String,
  scope: Schema.optionalKey(Schema.String),
  unrestricted: Schema.optionalKey(Schema.Literal(true)),
  grant_id: GrantId,
  gen: Schema.Int
})

export type Claims = typeof Claims.Type

/** Claims of a token issued at `from` for so many seconds. */
export const of = ({ format }: Catalogue, token: AccessToken, from: DateTime.Utc, lifetime: number): Claims => {
  const issuedAt = Math.floor(DateTime.toEpochMillis(from) / 1000)
  return {
    sub: token.userId,
    client_id: token.clientId,
    iat: issuedAt,
    exp: issuedAt + lifetime,
    jti: crypto.randomUUID(),
    ...(token.scopes === null ? { unrestricted: true } : { scope: format(token.scopes) }),
    grant_id: token.grantId,
    gen: token.generation
  }
}

/** Makes the reader of the claims of tokens that were verified for an audience; none if they are others than ours. */
export const reader = (): (payload: unknown, audience: string) => Option.Option<VerifiedToken> => {
  const scopesOf = scopesReader()
  return (payload, audience) =>
    Option.map(decode(payload), (claims) => ({
      userId: claims.sub,
      clientId: claims.client_id,
      grantId: claims.grant_id,
      scopes: claims.unrestricted ? null : scopesOf(claims.scope ?? ""),
      generation: claims.gen,
      id: claims.jti,
      audience,
      issuedAt: DateTime.fromEpochSeconds(claims.iat),
      expiresAt: DateTime.fromEpochSeconds(claims.exp)
    }))
}

const decode = Schema.decodeUnknownOption(Claims)

/**
 * Makes the reader of the scopes of a text that the server wrote, in its order. Apps have few different ones, so those
 * that were read are kept.
 */
export const scopesReader = (): (text: string) => ReadonlyArray<ScopeName> => {
  const readScopes = new Map<string, ReadonlyArray<ScopeName>>()
  return (text) => {
    const known = readScopes.get(text)
    if (known !== undefined) return known
    const scopes = [...new Set(text.split(" ").filter((name) => name !== ""))]
    if (readScopes.size === maxReadScopes) readScopes.clear()
    readScopes.set(text, scopes)
    return scopes
  }
}
const maxReadScopes = 1_000

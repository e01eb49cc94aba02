import { DateTime, Effect, Result, Schema } from "effect"
import type { JWTPayload } from "jose"
import { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import * as Scope from "../../domain/scopes/Scope.ts"
import type { VerifiedToken } from "./AccessTokens.ts"
import { InvalidToken } from "./InvalidToken.ts"

/** The media type of access tokens, which sets them apart from other JWTs of the issuer (RFC 9068 §2.1). */
export const typ = "at+jwt"

/** Reads the claims of a token whose signature, issuer, audience and expiry were verified. */
export const read = (payload: JWTPayload): Effect.Effect<VerifiedToken, InvalidToken> =>
  decode(payload).pipe(
    Effect.mapError(() => new InvalidToken({ reason: "other claims than ours" })),
    Effect.map((claims) => ({
      userId: claims.sub,
      clientId: claims.client_id,
      grantId: claims.grant_id,
      scopes: claims.unrestricted ? null : Result.getOrElse(Scope.parse(claims.scope ?? ""), () => []),
      generation: claims.gen ?? 0,
      id: claims.jti,
      issuedAt: DateTime.fromEpochSeconds(claims.iat),
      expiresAt: DateTime.fromEpochSeconds(claims.exp)
    }))
  )

const decode = Schema.decodeUnknownEffect(Schema.Struct({
  sub: UserId,
  client_id: ClientId,
  grant_id: GrantId,
  jti: Schema.String,
  iat: Schema.Finite,
  exp: Schema.Finite,
  scope: Schema.optionalKey(Schema.String),
  unrestricted: Schema.optionalKey(Schema.Literal(true)),
  /** Absent from tokens issued before there was this claim: their use is not noted. */
  gen: Schema.optionalKey(Schema.Int)
}))

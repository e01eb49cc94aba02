import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { type CryptoKey, errors, jwtVerify } from "jose"
import type { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import * as Scope from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { accessTokenLifetime } from "../keys/AccessTokenLifetime.ts"
import type { Signing } from "../keys/Signature.ts"
import { SigningKeys } from "../keys/SigningKeys.ts"
import * as Claims from "./AccessTokenClaims.ts"
import { InvalidToken } from "./InvalidToken.ts"
import { VerifiedTokenCache } from "./VerifiedTokenCache.ts"

/** The claims that an access token is made of. */
export interface AccessToken {
  readonly userId: UserId
  readonly clientId: ClientId
  readonly grantId: GrantId
  readonly scopes: Scope.GrantedScopes
  /** The generation of the refresh token that was issued with it. */
  readonly generation: number
}

/** The claims of a token whose signature, issuer, audience and expiry were verified. */
export interface VerifiedToken extends AccessToken {
  readonly id: string
  readonly issuedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/**
 * Access tokens as JWTs (RFC 9068), which anybody can verify with the published keys. `TokenIssuer` makes them,
 * `AccessCheck` verifies them.
 */
export class AccessTokens extends Context.Service<AccessTokens, {
  /** The signing input of a token issued at `from`, which is valid for 30 minutes. */
  unsigned(token: AccessToken, from: DateTime.Utc): Signing
  /** Verifies signature, issuer, audience and expiry; does not check that the grant is live. */
  verify(text: string): Effect.Effect<VerifiedToken, InvalidToken>
}>()("slotkey/core/tokens/AccessTokens") {
  static readonly layer: Layer.Layer<AccessTokens, never, AppConfig | DatabaseClock | SigningKeys> = Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const { baseUrl, issuer } = yield* AppConfig
      const clock = yield* DatabaseClock
      const keys = yield* SigningKeys

      const unsigned = (token: AccessToken, from: DateTime.Utc): Signing => {
        const { algorithm, id, key } = keys.signing(from)
        const issuedAt = Math.floor(DateTime.toEpochMillis(from) / 1000)
        const claims = {
          iss: issuer,
          sub: token.userId,
          aud: baseUrl,
          client_id: token.clientId,
          iat: issuedAt,
          exp: issuedAt + lifetimeSeconds,
          jti: crypto.randomUUID(),
          ...(token.scopes === null ? { unrestricted: true } : { scope: Scope.format(token.scopes) }),
          grant_id: token.grantId,
          gen: token.generation
        }
        return { algorithm, key: key.privateKey, input: `${header(algorithm, id)}.${encode(claims)}` }
      }

      // Encoded once for each key, because all its tokens have the same header.
      const headers = new Map<string, string>()
      const header = (alg: string, kid: string) => {
        const known = headers.get(kid) ?? encode({ alg, typ: Claims.typ, kid })
        headers.set(kid, known)
        return known
      }

      const cache = new VerifiedTokenCache<{ readonly keyId: string; readonly token: VerifiedToken }>(cacheCapacity)

      // A cached token may have expired or lost its key since, so both are checked each time.
      const verify = Effect.fnUntraced(function*(text: string) {
        const now = yield* clock.now
        const known = cache.get(text)
        if (known && keys.find(known.keyId) && DateTime.isLessThan(now, known.token.expiresAt)) return known.token
        const { keyId, token } = yield* read(text, now)
        cache.add(text, { keyId, token })
        return token
      })

      const read = Effect.fnUntraced(function*(text: string, now: DateTime.Utc) {
        const { payload, protectedHeader } = yield* Effect.tryPromise({
          try: () =>
            jwtVerify(text, ({ alg, kid = "" }) => verificationKey(alg, kid), {
              issuer,
              audience: baseUrl,
              typ: Claims.typ,
              currentDate: DateTime.toDateUtc(now)
            }),
          catch: (cause) => new InvalidToken({ reason: cause instanceof errors.JOSEError ? cause.code : "malformed" })
        })
        return { keyId: protectedHeader.kid ?? "", token: yield* Claims.read(payload) }
      })

      const verificationKey = (algorithm: string, id: string): CryptoKey => {
        const found = keys.find(id)
        if (found?.algorithm !== algorithm) throw new errors.JWKSNoMatchingKey()
        return found.key.publicKey
      }

      return AccessTokens.of({ unsigned, verify })
    })
  )
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url")

// Takes some megabytes, and is more than a node sees in a second.
const cacheCapacity = 10_000

const lifetimeSeconds = Duration.toSeconds(accessTokenLifetime)

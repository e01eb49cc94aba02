import { DateTime, Duration, Effect } from "effect"
import { type CryptoKey, errors, jwtVerify } from "jose"
import type { LoadedKey } from "../keys/KeyRing.ts"
import { MacKeys } from "../keys/MacKeys.ts"
import { type SigningKey, SigningKeys } from "../keys/SigningKeys.ts"
import * as Claims from "./AccessTokenClaims.ts"
import type { VerifiedToken } from "./AccessTokens.ts"
import { InvalidToken } from "./InvalidToken.ts"

/**
 * Tokens without a MAC, which servers of the release before issue while they are restarted one by one. Their signature
 * counts for 45 minutes after the first MAC key was made: a quarter of an hour for the restarts, and the life of a token.
 * It counts only under keys that are older. So whoever has a signing key and no MAC key passes for nobody at this server.
 */
export const make = (audience: Claims.Audience) =>
  Effect.gen(function*() {
    const macKeys = yield* MacKeys
    const signingKeys = yield* SigningKeys

    /** The key that the token names, if its signature alone counts now. */
    const keyFor = (id: string, now: DateTime.Utc): LoadedKey<SigningKey> | undefined => {
      const key = signingKeys.find(id)
      // A retired key is known for some minutes longer than this time, so a later key never passes for the first.
      const first = macKeys.live().at(-1)
      return key !== undefined && first !== undefined && DateTime.isLessThan(key.createdAt, first.createdAt) &&
          DateTime.isLessThan(now, DateTime.addDuration(first.createdAt, transition))
        ? key
        : undefined
    }

    const verify = Effect.fnUntraced(function*(
      text: string,
      { algorithm, id, key }: LoadedKey<SigningKey>,
      now: DateTime.Utc
    ): Effect.fn.Return<VerifiedToken, InvalidToken> {
      const verificationKey = (alg: string, kid: string | undefined): CryptoKey => {
        if (alg !== algorithm || kid !== id) throw new errors.JWKSNoMatchingKey()
        return key.publicKey
      }
      const { payload } = yield* Effect.tryPromise({
        try: () =>
          jwtVerify(text, ({ alg, kid }) => verificationKey(alg, kid), {
            issuer: audience.iss,
            audience: audience.aud,
            typ: Claims.typ,
            currentDate: DateTime.toDateUtc(now)
          }),
        catch: (cause) => new InvalidToken({ reason: cause instanceof errors.JOSEError ? cause.code : "malformed" })
      })
      return yield* Effect.mapError(
        Effect.fromOption(Claims.read(payload)),
        () => new InvalidToken({ reason: "other claims than ours" })
      )
    })

    return { keyFor, verify }
  })

const transition = Duration.minutes(45)

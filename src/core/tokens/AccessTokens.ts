import { Context, DateTime, Effect, Layer, Option } from "effect"
import { errors } from "jose"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { MacKeys } from "../keys/MacKeys.ts"
import * as Signature from "../keys/Signature.ts"
import { SigningKeys } from "../keys/SigningKeys.ts"
import type { AccessToken, VerifiedToken } from "./AccessToken.ts"
import * as Claims from "./AccessTokenClaims.ts"
import { AccessTokenMac, audienceOf, keysOf } from "./AccessTokenMac.ts"
import { InvalidToken } from "./InvalidToken.ts"

/**
 * Access tokens as JWTs (RFC 9068), which anybody can verify with the published keys. `TokenIssuer` makes them,
 * `AccessCheck` verifies them by the MAC that they contain (`AccessTokenMac`).
 */
export class AccessTokens extends Context.Service<AccessTokens, {
  /** Text of a token issued at `from`, which is valid for so many seconds; its audience is its resource. */
  write(token: AccessToken, from: DateTime.Utc, lifetime: number): string
  /**
   * Verifies that this server issued the token, for whatever audience, and its expiry; does not check that the grant is
   * live.
   */
  verify(text: string): Effect.Effect<VerifiedToken, InvalidToken>
  /** Tells whether a verified token has the right signature, too, as those see it who have the published keys alone. */
  isSigned(text: string): boolean
}>()("slotkey/core/tokens/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const { baseUrl, issuer } = yield* AppConfig
      const catalogue = yield* Catalogue
      const readClaims = Claims.reader()
      const clock = yield* DatabaseClock
      const macKeys = yield* MacKeys
      const signingKeys = yield* SigningKeys

      // One for each signing key and MAC key that live; rebuilt when the rings have read their keys again.
      let macs: ReadonlyArray<AccessTokenMac> = []
      let madeOf: ReadonlyArray<unknown> = []
      // Those of other audiences than the API, made when one of their tokens is written or proves to be genuine.
      const macsOfResources = new Map<string, ReadonlyArray<AccessTokenMac>>()
      const make = (aud: string) =>
        signingKeys.live().flatMap((key) =>
          macKeys.live().map((macKey) => new AccessTokenMac(key, macKey, { iss: issuer, aud }))
        )
      const liveMacs = (): ReadonlyArray<AccessTokenMac> => {
        const [signing, mac] = [signingKeys.live(), macKeys.live()]
        if (madeOf[0] !== signing || madeOf[1] !== mac) {
          madeOf = [signing, mac]
          macs = make(baseUrl)
          macsOfResources.clear()
        }
        return macs
      }
      const liveMacsOf = (resource: string): ReadonlyArray<AccessTokenMac> =>
        resource === baseUrl ? liveMacs() : liveMacs() && (macsOfResources.get(resource) ?? make(resource))
      const keep = (resource: string, macs: ReadonlyArray<AccessTokenMac>) => {
        if (resource === baseUrl || macsOfResources.has(resource)) return
        if (macsOfResources.size === mostResources) macsOfResources.clear()
        macsOfResources.set(resource, macs)
      }

      const write = (token: AccessToken, from: DateTime.Utc, lifetime: number): string => {
        const signingKey = signingKeys.signing(from)
        const macKey = macKeys.signing(from)
        const aud = token.resource ?? baseUrl
        const live = liveMacsOf(aud)
        keep(aud, live)
        const mac = live.find((mac) => mac.signingKey.id === signingKey.id && mac.macKeyId === macKey.id) ??
          new AccessTokenMac(signingKey, macKey, { iss: issuer, aud })
        const input = mac.write(Claims.of(catalogue, token, from, lifetime))
        return `${input}.${Signature.sign(signingKey.algorithm, signingKey.key.privateKey, input)}`
      }

      const verify = (text: string) =>
        Effect.flatMap(clock.now, (now) => verifyMac(text, now) ?? verifyOther(text, now))

      const verifyMac = (text: string, now: DateTime.Utc) =>
        verifyBy(liveMacs(), text, baseUrl, now) ?? verifyOfResource(text, now)

      const verifyBy = (
        macs: ReadonlyArray<AccessTokenMac>,
        text: string,
        audience: string,
        now: DateTime.Utc
      ): Effect.Effect<VerifiedToken, InvalidToken> | undefined => {
        for (const mac of macs) {
          const parts = mac.read(text)
          if (parts === undefined) continue
          const claims = mac.claims(text, parts)
          if (claims === undefined) return forged
          if (audience !== baseUrl) keep(audience, macs)
          const token = Option.getOrUndefined(readClaims(claims, audience))
          if (token === undefined) return otherClaims
          return DateTime.isLessThan(now, token.expiresAt) ? Effect.succeed(token) : expired
        }
        return undefined
      }

      const verifyOfResource = (text: string, now: DateTime.Utc) => {
        const audience = audienceOf(text)
        return audience === undefined || audience === baseUrl
          ? undefined
          : verifyBy(liveMacsOf(audience), text, audience, now)
      }

      const verifyOther = Effect.fnUntraced(function*(text: string, now: DateTime.Utc) {
        const keys = keysOf(text)
        if (keys.macKey === undefined) return yield* unknownKey
        yield* signingKeys.lookUp(keys.signingKey)
        yield* macKeys.lookUp(keys.macKey)
        return yield* verifyMac(text, now) ?? unknownKey
      })

      const isSigned = (text: string): boolean => {
        const signingKey = signingKeys.find(keysOf(text).signingKey)
        return signingKey !== undefined && Signature.verify(signingKey.algorithm, signingKey.key.publicKey, text)
      }

      return AccessTokens.of({ write, verify, isSigned })
    })
  )
}

/** Audiences whose MACs are kept: a server has few resources. */
const mostResources = 1_000

const refused = (reason: string) => Effect.fail(new InvalidToken({ reason }))
const forged = refused("the MAC is wrong")
const otherClaims = refused("other claims than ours")
const expired = refused(errors.JWTExpired.code)
const unknownKey = refused("no live key of this server")

import { DateTime, Effect, Layer, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { createRemoteJWKSet, customFetch, jwtVerify } from "jose"
import { isRefusal } from "../../core/keys/RemoteKeys.ts"
import { AccessCheck } from "../../core/tokens/AccessCheck.ts"
import * as Claims from "../../core/tokens/AccessTokenClaims.ts"
import { InvalidToken } from "../../core/tokens/InvalidToken.ts"
import { messageOf } from "../../domain/Cause.ts"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { readAudience, readBaseUrl } from "./BaseUrl.ts"

/** Facts by which an API verifies tokens itself. */
export interface Offline {
  /** `BASE_URL` of the Slotkey server: it publishes the keys there, and tokens for the API name it as audience. */
  readonly baseUrl: string
  /** Its `ISSUER`, if that is another address. */
  readonly issuer?: string
  /** Identifier of the resource whose tokens count; unless given it is the API, at `baseUrl`. */
  readonly resource?: string
}

/**
 * Access check without a question to the server: signature, type, issuer, audience and expiry (RFC 9068 §4) by the
 * published keys. It sees no revocation, so a token is good until it expires. The keys are fetched with the first
 * token, again after ten minutes, and for a token that names an unknown one, though not within half a minute of the
 * last time.
 */
export const layerOffline = (server: Offline): Layer.Layer<AccessCheck> =>
  Layer.effect(
    AccessCheck,
    Effect.gen(function*() {
      const baseUrl = yield* readBaseUrl(server.baseUrl)
      const audience = yield* readAudience(server)
      const { issuer = baseUrl } = server
      const fetch = yield* FetchHttpClient.Fetch
      const readClaims = Claims.reader()
      const keys = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`), {
        timeoutDuration: 5_000,
        cooldownDuration: 30_000,
        cacheMaxAge: 600_000,
        [customFetch]: fetch
      })

      const verify = (token: string, currentDate: Date) =>
        Effect.tryPromise({
          try: () => jwtVerify(token, keys, { issuer, audience, typ: Claims.typ, algorithms, currentDate }),
          catch: (cause) => isRefusal(cause) ? new InvalidToken({ reason: cause.code }) : new KeysUnread({ cause })
        }).pipe(
          Effect.catchTag("KeysUnread", ({ cause }) =>
            Effect.andThen(
              OutageLog.report({
                name: "keys",
                what: "Access tokens cannot be checked.",
                remedy: "See that the keys of the server can be read at its address.",
                reason: messageOf(cause)
              }),
              Effect.fail(new TemporarilyUnavailable({ error_description: "the token cannot be checked now" }))
            ))
        )

      const check = Effect.fnUntraced(function*(token: string) {
        // `jose` skips white space and reads padding.
        if (!isCompact(token)) return yield* new InvalidToken({ reason: "not a JWT in its compact form" })
        const { payload } = yield* verify(token, DateTime.toDateUtc(yield* DateTime.now))
        return yield* Effect.mapError(
          Effect.fromOption(readClaims(payload, audience)),
          () => new InvalidToken({ reason: "other claims than ours" })
        )
      })

      return AccessCheck.of({ check })
    })
  )

/** Tells whether a text is three parts in base64url (RFC 7515 §7.1). */
const isCompact = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

/** The keys could not be fetched, which says nothing about the token. */
class KeysUnread extends Schema.TaggedError<KeysUnread>()("KeysUnread", { cause: Schema.Defect() }) {}

/** All that a server may sign access tokens with; a published key is good for its own algorithm only. */
const algorithms = ["ES256", "RS256", "EdDSA"]

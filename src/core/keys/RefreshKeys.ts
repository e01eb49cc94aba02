import { Context, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { Hmac } from "./Hmac.ts"
import * as KeyRing from "./KeyRing.ts"
import type { MasterKey, MasterKeyError } from "./MasterKey.ts"
import type { ServerKeys } from "./ServerKeys.ts"

/** Key of a refresh token's MAC, prepared for use. It hides its bytes. */
export type RefreshKey = Hmac

/**
 * Keys of the MACs of refresh tokens. Their ids are four bytes in hexadecimal, because a token has room for no more.
 */
export class RefreshKeys extends Context.Service<RefreshKeys, KeyRing.KeyRing<RefreshKey>>()(
  "slotkey/core/keys/RefreshKeys"
) {
  static readonly layer: Layer.Layer<RefreshKeys, MasterKeyError, AppConfig | MasterKey | ServerKeys> = Layer.effect(
    RefreshKeys,
    Effect.gen(function*() {
      const { grantLifetime } = yield* AppConfig
      return yield* KeyRing.make({
        purpose: "refresh-token",
        algorithm: "HS256",
        // An imported grant may be idle for all of its lifetime, and its token be presented after that.
        lifetime: grantLifetime,
        generate: Effect.sync(() => ({
          id: randomBytes(4).toString("hex"),
          publicJwk: null,
          secret: randomBytes(32)
        })),
        importKey: (_algorithm, _publicJwk, secret) => Effect.sync(() => new Hmac(Redacted.value(secret)))
      })
    })
  )
}

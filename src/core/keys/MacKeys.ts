import { Context, Effect, Layer, Redacted } from "effect"
import { createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { accessTokenLifetime } from "./AccessTokenLifetime.ts"
import * as KeyRing from "./KeyRing.ts"
import type { MasterKey, MasterKeyError } from "./MasterKey.ts"
import type { ServerKeys } from "./ServerKeys.ts"

/** Key from which the keys of MACs are derived (`Hmac`): a key object, which hides its bytes. */
export type MacKey = KeyObject

/** Keys of the MACs in access tokens. Their ids have eight characters, whose place in a token is known. */
export class MacKeys extends Context.Service<MacKeys, KeyRing.KeyRing<MacKey>>()("slotkey/core/keys/MacKeys") {
  static readonly layer: Layer.Layer<MacKeys, MasterKeyError, MasterKey | ServerKeys> = Layer.effect(
    MacKeys,
    KeyRing.make({
      purpose: "access-token-mac",
      algorithm: "HS256",
      lifetime: accessTokenLifetime,
      generate: Effect.sync(() => ({
        id: randomBytes(6).toString("base64url"),
        publicJwk: null,
        secret: randomBytes(32)
      })),
      importKey: (_algorithm, _publicJwk, secret) => Effect.sync(() => createSecretKey(Redacted.value(secret)))
    })
  )
}

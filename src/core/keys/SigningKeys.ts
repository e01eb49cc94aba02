import { Context, Effect, Layer, Redacted } from "effect"
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose"
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { accessTokenLifetime } from "./AccessTokenLifetime.ts"
import * as KeyRing from "./KeyRing.ts"
import type { MasterKey, MasterKeyError } from "./MasterKey.ts"
import type { ServerKeys } from "./ServerKeys.ts"

/** A key pair for the signatures of access tokens. */
export interface SigningKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Keys that sign access tokens (RFC 9068 §2.1). */
export class SigningKeys extends Context.Service<SigningKeys, KeyRing.KeyRing<SigningKey>>()(
  "slotkey/core/keys/SigningKeys"
) {
  static readonly layer: Layer.Layer<SigningKeys, MasterKeyError, AppConfig | MasterKey | ServerKeys> = Layer.effect(
    SigningKeys,
    Effect.gen(function*() {
      const { accessTokenAlgorithm: algorithm } = yield* AppConfig
      return yield* KeyRing.make({
        purpose: "access-token",
        algorithm,
        lifetime: accessTokenLifetime,
        generate: Effect.promise(() => generate(algorithm)),
        importKey: importKeyPair
      })
    })
  )
}

const generate = async (alg: string) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const id = await calculateJwkThumbprint(jwk)
  return {
    id,
    publicJwk: { ...jwk, kid: id, alg, use: "sig" },
    secret: new TextEncoder().encode(JSON.stringify(await exportJWK(privateKey)))
  }
}

const importKeyPair = (_: string, publicJwk: JWK | null, secret: Redacted.Redacted<Uint8Array>) =>
  Effect.sync((): SigningKey => ({
    privateKey: createPrivateKey({ format: "jwk", key: JSON.parse(new TextDecoder().decode(Redacted.value(secret))) }),
    publicKey: createPublicKey({ format: "jwk", key: publicJwk ?? {} })
  }))

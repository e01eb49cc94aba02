import { Context, DateTime, Effect, Layer, Option } from "effect"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { ClientStanding } from "../clients/Client.ts"
import { RefreshKeys } from "../keys/RefreshKeys.ts"
import type { Signing } from "../keys/Signature.ts"
import { ImportedTokens } from "./ImportedTokens.ts"
import * as RefreshToken from "./RefreshToken.ts"

/** Refresh tokens under the keys of the server, and those of the server before it. */
export class RefreshTokens extends Context.Service<RefreshTokens, {
  /** What the MAC of a token is to be made of, under the key of the instant. */
  unsigned(token: RefreshToken.RefreshToken, at: DateTime.Utc): Signing
  /** What a token of ours says, if its MAC is right. */
  read(text: string, now: DateTime.Utc): RefreshToken.RefreshToken | undefined
  /**
   * What the client's text stands for: a token of ours, or one of the server before. Fails where this node cannot unseal
   * the key that it names: that is our trouble, and a client would throw its tokens away on `invalid_grant`.
   */
  identify(
    client: ClientStanding,
    text: string
  ): Effect.Effect<Option.Option<RefreshToken.RefreshToken>, TemporarilyUnavailable>
}>()("slotkey/core/tokens/RefreshTokens") {
  static readonly layer: Layer.Layer<RefreshTokens, never, ImportedTokens | RefreshKeys> = Layer.effect(
    RefreshTokens,
    Effect.gen(function*() {
      const imported = yield* ImportedTokens
      const keys = yield* RefreshKeys

      const unsigned = (token: RefreshToken.RefreshToken, at: DateTime.Utc): Signing => {
        const { id, key } = keys.signing(at)
        return RefreshToken.unsigned(token, id, key)
      }

      const read = (text: string, now: DateTime.Utc) => RefreshToken.read(text, (id) => keys.find(id, now)?.key)

      const identify = Effect.fnUntraced(function*(client: ClientStanding, text: string) {
        const ours = read(text, yield* DateTime.now)
        if (ours !== undefined) return Option.some(ours)
        const keyId = RefreshToken.keyOf(text)
        if (keyId === undefined) return yield* imported.find(client, text)
        return keys.isSealed(keyId) ? yield* keyUnavailable : Option.none()
      })

      return RefreshTokens.of({ unsigned, read, identify })
    })
  )
}

const keyUnavailable = Effect.fail(
  new TemporarilyUnavailable({ error_description: "the token cannot be checked just now, try again shortly" })
)

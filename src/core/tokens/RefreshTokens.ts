import { Context, DateTime, Effect, Layer, Option } from "effect"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import type { ClientStanding } from "../clients/records/Client.ts"
import { RefreshKeys } from "../keys/RefreshKeys.ts"
import { ImportedTokens } from "./ImportedTokens.ts"
import * as RefreshToken from "./RefreshToken.ts"

/**
 * Refresh tokens under the keys of the server, and imported ones. `TokenIssuer` makes and reads them; introspection and
 * revocation identify what a client presents.
 */
export class RefreshTokens extends Context.Service<RefreshTokens, {
  /** Text of a token under the key that signs at the instant. */
  write(token: RefreshToken.RefreshToken, at: DateTime.Utc): string
  /** Reads a token of this server; `undefined` if it is not genuine. */
  read(text: string): RefreshToken.RefreshToken | undefined
  /**
   * Reads what the client presents: a token of this server, or an imported one. Fails if this node cannot unseal the
   * key that the token names: that is the server's fault, and on `invalid_grant` a client would throw its tokens away.
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

      const write = (token: RefreshToken.RefreshToken, at: DateTime.Utc): string => {
        const { id, key } = keys.signing(at)
        return RefreshToken.write(token, id, key)
      }

      const read = (text: string) => RefreshToken.read(text, (id) => keys.find(id)?.key)

      const identify = Effect.fnUntraced(function*(client: ClientStanding, text: string) {
        const genuine = read(text)
        if (genuine !== undefined) return Option.some(genuine)
        const keyId = RefreshToken.keyIdOf(text)
        if (keyId === undefined) return yield* imported.find(client, text)
        return keys.isSealed(keyId) ? yield* keyUnavailable : Option.none()
      })

      return RefreshTokens.of({ write, read, identify })
    })
  )
}

const keyUnavailable = Effect.fail(
  new TemporarilyUnavailable({ error_description: "the token cannot be checked just now, try again shortly" })
)

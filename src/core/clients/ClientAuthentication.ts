import { Context, Effect, Layer } from "effect"
import type { ClientId } from "../../domain/Ids.ts"
import { because, InvalidClient, type TemporarilyUnavailable, UnauthorizedClient } from "../../domain/OAuthError.ts"
import type { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import * as Mailbox from "../../foundation/database/Mailbox.ts"
import type { ClientStanding } from "./Client.ts"
import { type Examined, SecretCheck } from "./SecretCheck.ts"
import { SecretThrottle } from "./SecretThrottle.ts"

/** An identifier and, unless the client is public, a secret, of which only the digest is kept. */
export interface Credentials {
  readonly id: ClientId
  readonly secretDigest: Uint8Array | null
}

/** What a request shows of its sender. */
export interface PresentedCredentials extends Credentials {
  /** The same as it arrived, where form-decoding has changed it: identifiers of other servers may hold `+` and `%`. */
  readonly raw?: Credentials
}

/** The same, and where it comes from, as `clientAddress` tells. */
export interface Presented extends PresentedCredentials {
  readonly address: string
}

/** Who sends a request to the token endpoint and its siblings (RFC 6749 §2.3). */
export class ClientAuthentication extends Context.Service<ClientAuthentication, {
  /** The client that has shown itself, in any state; for public clients the identifier is enough (RFC 6749 §3.2.1). */
  authenticate(presented: Presented): Effect.Effect<ClientStanding, Unauthenticated>
  /** The same, if it may act: it is approved (specification §7). */
  authorize(presented: Presented): Effect.Effect<ClientStanding, Unauthenticated | UnauthorizedClient>
  /** Which of two readings of the header is meant, where it has two; who guesses secrets is not heard. */
  settle(presented: Presented): Effect.Effect<Presented, TooManyAttempts | TemporarilyUnavailable>
}>()("slotkey/core/clients/ClientAuthentication") {
  static readonly layer: Layer.Layer<ClientAuthentication, never, SecretCheck> = Layer.effect(
    ClientAuthentication,
    Effect.gen(function*() {
      const secrets = yield* SecretCheck
      const throttle = yield* SecretThrottle

      // The same work whether the client or the secret is wrong.
      const examine = yield* Mailbox.make({ handle: secrets.examine })

      const admit = ({ address, id }: Presented) => throttle.admit(id, address)
      const note = ({ address, id }: Presented, { isGuess }: Examined) =>
        isGuess ? throttle.failed(id, address) : Effect.void

      const settle = (presented: Presented) =>
        presented.raw === undefined
          ? Effect.as(admit(presented), presented)
          : choose(presented, { ...presented.raw, address: presented.address })

      const choose = Effect.fnUntraced(function*(decoded: Presented, raw: Presented) {
        yield* Effect.andThen(admit(decoded), admit(raw))
        const examined = yield* examine(decoded)
        if (yield* Effect.isSuccess(judge(decoded, examined))) return decoded
        // Of one client both readings count once, when the other is judged.
        if (raw.id !== decoded.id) yield* note(decoded, examined)
        return raw
      })

      const authenticate = Effect.fnUntraced(function*(presented: Presented) {
        const shown = yield* settle(presented)
        const examined = yield* examine(shown)
        // Once more, for those that were examined at the same time are counted meanwhile.
        yield* admit(shown)
        yield* note(shown, examined)
        return yield* judge(shown, examined)
      })

      const authorize = Effect.fnUntraced(function*(presented: Presented) {
        const client = yield* authenticate(presented)
        return client.status === "approved" ? client : yield* new UnauthorizedClient({
          error_description: `the app cannot be used: it is ${client.status}`
        })
      })

      return ClientAuthentication.of({ authenticate, authorize, settle })
    })
  ).pipe(Layer.provide(SecretThrottle.layer))
}

/** Why a client was not authenticated. */
export type Unauthenticated = InvalidClient | TooManyAttempts | TemporarilyUnavailable

const judge = (
  { secretDigest }: Presented,
  { client, verified }: Examined
): Effect.Effect<ClientStanding, InvalidClient> => {
  if (client === undefined) return invalidClient
  if (client.kind === "public") return secretDigest === null ? Effect.succeed(client) : needlessSecret
  if (verified) return Effect.succeed(client)
  return secretDigest === null ? missingSecret : wrongSecret
}

// One answer for all of them; which it was is for the owner of the app.
const refuse = (reason: string) =>
  Effect.suspend(() =>
    Effect.fail(because(new InvalidClient({ error_description: "the client could not be authenticated" }), reason))
  )
export const invalidClient = refuse("the client could not be authenticated")
const missingSecret = refuse("client_secret is missing")
const wrongSecret = refuse("client_secret is none of the app's secrets: mistyped, revoked, or another app's")
const needlessSecret = refuse("a client_secret was sent, but the app is public and has none")

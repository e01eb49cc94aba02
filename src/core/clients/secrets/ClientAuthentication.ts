import { Context, Effect, Layer } from "effect"
import type { ClientId } from "../../../domain/Ids.ts"
import { because, InvalidClient, type TemporarilyUnavailable, UnauthorizedClient } from "../../../domain/OAuthError.ts"
import type { TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import * as Mailbox from "../../../foundation/database/Mailbox.ts"
import * as OncePerMinute from "../../../foundation/log/OncePerMinute.ts"
import * as SecurityEvents from "../../audit/SecurityEvents.ts"
import { HashQueue } from "../../limits/HashQueue.ts"
import type { ClientStanding } from "../records/Client.ts"
import { adoptForeignSecret } from "./ForeignSecrets.ts"
import { type ClientLookup, SecretCheck } from "./SecretCheck.ts"
import { secretThrottle } from "./SecretThrottle.ts"

/** A client's identifier and the digest of its secret; `null` when no secret was sent, as by public clients. */
interface ClientCredentials {
  readonly id: ClientId
  readonly secretDigest: Uint8Array | null
  /** Secret itself, for the digests of other servers; a function, so that no log shows it. */
  readonly secret?: (() => string) | undefined
}

/** Credentials of one request, and the address that they came from, as `clientAddress` reads it. */
export interface AuthenticationAttempt extends ClientCredentials {
  readonly address: string
  /** Header read without form-decoding, where that differs: identifiers of other servers may hold `+` and `%`. */
  readonly raw?: ClientCredentials
}

/**
 * Authenticates the clients that call the token endpoint and its siblings (RFC 6749 §2.3). The doors call it for
 * revocation and introspection; `TokenIssuer` calls it for token requests that its one statement refused.
 */
export class ClientAuthentication extends Context.Service<ClientAuthentication, {
  /** Client, whatever its status. A public client is identified by its id alone (RFC 6749 §3.2.1). */
  authenticate(attempt: AuthenticationAttempt): Effect.Effect<ClientStanding, Unauthenticated>
  /** Client, if it is also approved (specification §7). */
  authorize(attempt: AuthenticationAttempt): Effect.Effect<ClientStanding, Unauthenticated | UnauthorizedClient>
  /**
   * Chooses between the decoded and the raw reading of a header; fails while wrong secrets from the address are
   * throttled.
   */
  resolveEncoding(
    attempt: AuthenticationAttempt
  ): Effect.Effect<AuthenticationAttempt, TooManyAttempts | TemporarilyUnavailable>
}>()("slotkey/core/clients/secrets/ClientAuthentication") {
  static readonly layer = Layer.effect(
    ClientAuthentication,
    Effect.gen(function*() {
      const secrets = yield* SecretCheck
      const failures = yield* secretThrottle
      const adopt = yield* adoptForeignSecret

      const reportWrongSecret = yield* OncePerMinute.make((id, count) =>
        SecurityEvents.report("client.wrong_secret", { ...id !== undefined && { client_id: id }, count })
      )

      const askDatabase = yield* Mailbox.make({ name: "ClientAuthentication.lookUp", handle: secrets.lookUp })

      const lookUp = Effect.fnUntraced(function*(attempt: AuthenticationAttempt) {
        const found = yield* askDatabase(attempt)
        if (found.foreign.length === 0 || attempt.secret === undefined) return found
        const adopted = yield* adopt(found.foreign, attempt.secret(), attempt.address)
        return adopted ? { ...found, authenticated: true, isGuess: false } : found
      })

      const throttle = ({ address, id }: AuthenticationAttempt) => failures.check(id, address)
      const recordGuess = ({ address, id }: AuthenticationAttempt, { isGuess }: ClientLookup) =>
        isGuess ? failures.recordFailure(id, address) : Effect.void

      const resolveEncoding = (attempt: AuthenticationAttempt) =>
        attempt.raw === undefined
          ? Effect.as(throttle(attempt), attempt)
          : chooseEncoding(attempt, { ...attempt.raw, address: attempt.address })

      const chooseEncoding = Effect.fnUntraced(function*(decoded: AuthenticationAttempt, raw: AuthenticationAttempt) {
        yield* Effect.andThen(throttle(decoded), throttle(raw))
        const found = yield* lookUp(decoded)
        if (yield* Effect.isSuccess(verify(decoded, found))) return decoded
        // A wrong secret counts once for a client that both readings name: when the raw reading is authenticated.
        if (raw.id !== decoded.id) yield* recordGuess(decoded, found)
        return raw
      })

      const authenticate = Effect.fnUntraced(function*(attempt: AuthenticationAttempt) {
        const chosen = yield* resolveEncoding(attempt)
        const found = yield* lookUp(chosen)
        // Checked again: concurrent attempts may have used up the limit meanwhile.
        yield* throttle(chosen)
        yield* recordGuess(chosen, found)
        if (isWrongSecret(chosen, found)) yield* reportWrongSecret(chosen.id)
        return yield* verify(chosen, found)
      })

      const authorize = Effect.fnUntraced(function*(attempt: AuthenticationAttempt) {
        const client = yield* authenticate(attempt)
        return client.status === "approved" ? client : yield* new UnauthorizedClient({
          error_description: `the app cannot be used: it is ${client.status}`
        })
      })

      return ClientAuthentication.of({ authenticate, authorize, resolveEncoding })
    })
  ).pipe(Layer.provide(HashQueue.layer))
}

/** Why a client is not authenticated. */
export type Unauthenticated = InvalidClient | TooManyAttempts | TemporarilyUnavailable

const verify = (
  { secretDigest }: AuthenticationAttempt,
  { authenticated, client }: ClientLookup
): Effect.Effect<ClientStanding, InvalidClient> => {
  if (client === undefined) return invalidClient
  if (authenticated) return Effect.succeed(client)
  if (client.kind === "public") return needlessSecret
  return secretDigest === null ? missingSecret : wrongSecret
}

const isWrongSecret = ({ secretDigest }: AuthenticationAttempt, { authenticated, client }: ClientLookup): boolean =>
  client?.kind === "confidential" && !authenticated && secretDigest !== null

// One answer for every reason (RFC 6749 §5.2); the reason itself is kept for the owner of the app.
const invalidClientBecause = (reason: string) =>
  Effect.suspend(() =>
    Effect.fail(because(new InvalidClient({ error_description: "the client could not be authenticated" }), reason))
  )
/** Reason of a request that may be of no client of this server. */
export const unknownClientReason = "no app has this client_id, or it was not sent in a way that is taken here"
export const invalidClient = invalidClientBecause(unknownClientReason)
const missingSecret = invalidClientBecause("client_secret is missing")
const wrongSecret = invalidClientBecause(
  "client_secret is none of the app's secrets: mistyped, revoked, or another app's"
)
const needlessSecret = invalidClientBecause("a client_secret was sent, but the app is public and has none")

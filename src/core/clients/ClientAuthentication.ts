import { Context, Effect, Layer } from "effect"
import { isUtf8 } from "node:buffer"
import * as Credential from "../../domain/Credential.ts"
import { ClientId } from "../../domain/Ids.ts"
import {
  because,
  InvalidClient,
  InvalidRequest,
  type TemporarilyUnavailable,
  UnauthorizedClient
} from "../../domain/OAuthError.ts"
import type { Parameters } from "../../domain/Parameters.ts"
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

/** Reads the credentials from the header or the body, never from both. */
export const presented = (
  authorization: string | undefined,
  parameters: Parameters
): Effect.Effect<PresentedCredentials, InvalidClient | InvalidRequest> => {
  const id = parameters.get("client_id")
  const secret = parameters.get("client_secret")
  if (authorization === undefined) return id === undefined ? noClient : Effect.succeed(credentials(id, secret))
  const basic = fromBasic(authorization)
  if (basic === undefined) return invalidClient
  if (secret !== undefined) return twoMethods
  if (id === undefined || id === basic.id) return Effect.succeed(basic)
  return basic.raw !== undefined && id === basic.raw.id ? Effect.succeed(basic.raw) : twoClients
}

const credentials = (id: string, secret: string | undefined): Credentials => ({
  id: ClientId.make(id),
  secretDigest: secret === undefined ? null : Credential.digest(secret)
})

/** `client_secret_basic`: both halves form-encoded (RFC 6749 §2.3.1) or, as many clients do it, as they are. */
const fromBasic = (authorization: string): PresentedCredentials | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, "base64")
  const text = isUtf8(bytes) ? bytes.toString("utf8") : ""
  const colon = text.indexOf(":")
  const raw = [text.slice(0, Math.max(colon, 0)), text.slice(colon + 1)] as const
  const [id, secret] = [formDecode(raw[0]), formDecode(raw[1])]
  if (colon < 0 || id === "" || id.includes("\0") || secret.includes("\0")) return undefined
  const pair = (id: string, secret: string) => credentials(id, secret === "" ? undefined : secret)
  return { ...pair(id, secret), ...(id === raw[0] && secret === raw[1] ? {} : { raw: pair(...raw) }) }
}

const formDecode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
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
const noClient = Effect.fail(new InvalidRequest({ error_description: "client_id is missing" }))
export const twoMethods = Effect.fail(
  new InvalidRequest({ error_description: "the client authenticates in the header and in the body" })
)
const twoClients = Effect.fail(
  new InvalidRequest({ error_description: "the client_id of the body is not that of the header" })
)

import { Clock, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { randomBytes } from "node:crypto"
import { MasterKey } from "../../../core/keys/MasterKey.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { tabCookies } from "../TabCookies.ts"

/** A sign-in that a browser has begun at the provider. */
export const PendingSignIn = Schema.Struct({
  /** Tells which sign-in of the browser an answer belongs to. */
  state: Schema.String,
  /** Binds the ID token to this sign-in. */
  nonce: Schema.String,
  /** Code verifier of RFC 7636 §4.1. */
  verifier: Schema.String,
  /** Path that it leads to. */
  returnTo: Schema.String,
  /** True if the user is to choose an account there. */
  chooses: Schema.optionalKey(Schema.Boolean),
  /** Instant until which an answer is waited for, in milliseconds of the epoch. */
  until: Schema.Number
})
export type PendingSignIn = typeof PendingSignIn.Type

/**
 * Sign-ins that a browser has begun, each in a sealed cookie of its own: an answer counts in the browser that has asked
 * for it, and the database keeps nothing for people who only look at the sign-in page. The cookie stays until its time
 * is over, and leads on a user who loads the answer again.
 */
export const make = Effect.gen(function*() {
  const masterKey = yield* MasterKey
  const cookies = tabCookies(yield* AppConfig, "oidc", lifetime)

  /** A new sign-in, which `keep` gives to the browser. */
  const begin = Effect.fn("PendingSignIns.begin")(function*(sought: Pick<PendingSignIn, "returnTo" | "chooses">) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
    const pending = yield* Effect.sync(() => ({
      state: secret(),
      nonce: secret(),
      verifier: secret(),
      ...sought,
      until
    }))
    const sealed = yield* Effect.orDie(masterKey.seal(Buffer.from(encode(pending))))
    return { pending, keep: cookies.keep(request, idOf(pending.state), sealed) }
  })

  /** Sign-in that an answer with this state belongs to, if it is this browser's. */
  const find = Effect.fn("PendingSignIns.find")(function*(state: string) {
    const sealed = cookies.find(yield* HttpServerRequest.HttpServerRequest, idOf(state))
    if (sealed === undefined) return Option.none()
    const opened = yield* Effect.option(masterKey.unseal(sealed))
    const text = Option.map(opened, (bytes) => Buffer.from(Redacted.value(bytes)).toString("utf8"))
    const now = yield* Clock.currentTimeMillis
    return Option.filter(Option.flatMap(text, decode), (pending) => pending.state === state && pending.until > now)
  })

  return { begin, find }
})

const lifetime = Duration.minutes(30)

/** Part of a state by which its cookie is named. */
const idOf = (state: string): string => state.slice(0, 16)

const secret = () => randomBytes(32).toString("base64url")

const Text = Schema.fromJsonString(PendingSignIn)
const encode = Schema.encodeSync(Text)
const decode = Schema.decodeUnknownOption(Text)

import { Clock, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { MasterKey } from "../../../core/keys/MasterKey.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"

/** A sign-in that a browser has begun at the provider. */
export const PendingSignIn = Schema.Struct({
  /** Tells which sign-in of the browser an answer belongs to. */
  state: Schema.String,
  /** Binds the ID token to this sign-in. */
  nonce: Schema.String,
  /** The code verifier of RFC 7636 §4.1. */
  verifier: Schema.String,
  /** The path that it leads to. */
  returnTo: Schema.String,
  /** True if the user is to choose an account there. */
  chooses: Schema.optionalKey(Schema.Boolean),
  /** The instant until which an answer is waited for, in milliseconds of the epoch. */
  until: Schema.Number
})
export type PendingSignIn = typeof PendingSignIn.Type

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * The sign-ins that a browser has begun and not finished, in a sealed cookie of its own: an answer counts in the browser that
 * has asked for it, once, and the database keeps nothing for people who only look at the sign-in page.
 */
export interface PendingSignIns {
  /** A new sign-in, which `keep` gives to the browser. */
  begin(
    sought: Pick<PendingSignIn, "returnTo" | "chooses">
  ): Effect.Effect<{ readonly pending: PendingSignIn; readonly keep: (response: Response) => Response }, never, Request>
  /** The sign-in that an answer with this state belongs to, if it is this browser's; `forget` takes it from the browser. */
  find(
    state: string | undefined
  ): Effect.Effect<
    Option.Option<{ readonly pending: PendingSignIn; readonly forget: (response: Response) => Response }>,
    never,
    Request
  >
}

export const make: Effect.Effect<PendingSignIns, never, AppConfig | MasterKey> = Effect.gen(function*() {
  const { authUrl } = yield* AppConfig
  const masterKey = yield* MasterKey
  const secure = authUrl.startsWith("https:")
  // The prefix keeps sites beside this one from giving a browser a sign-in of theirs.
  const cookie = secure ? "__Host-slotkey-oidc" : "slotkey-oidc"

  const read = Effect.gen(function*() {
    const sealed = (yield* HttpServerRequest.HttpServerRequest).cookies[cookie]
    if (sealed === undefined) return []
    const opened = yield* Effect.option(masterKey.unseal(sealed))
    const text = Option.map(opened, (bytes) => Buffer.from(Redacted.value(bytes)).toString("utf8"))
    const now = yield* Clock.currentTimeMillis
    return Option.getOrElse(Option.flatMap(text, decode), () => []).filter(({ until }) => until > now)
  })

  const write = Effect.fnUntraced(function*(all: ReadonlyArray<PendingSignIn>) {
    const value = all.length === 0 ? "" : yield* Effect.orDie(masterKey.seal(Buffer.from(encode(all))))
    return (response: Response) =>
      HttpServerResponse.setCookieUnsafe(response, cookie, value, {
        httpOnly: true,
        secure,
        sameSite: "lax",
        path: "/",
        maxAge: all.length === 0 ? Duration.zero : lifetime
      })
  })

  const begin = Effect.fn("PendingSignIns.begin")(function*(sought: Pick<PendingSignIn, "returnTo" | "chooses">) {
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
    const pending = yield* Effect.sync(() => ({
      state: secret(),
      nonce: secret(),
      verifier: secret(),
      ...sought,
      until
    }))
    return { pending, keep: yield* write(fit([...yield* read, pending])) }
  })

  const find = Effect.fn("PendingSignIns.find")(function*(state: string | undefined) {
    const all = yield* read
    const pending = all.find((one) => one.state === state)
    if (pending === undefined) return Option.none()
    return Option.some({ pending, forget: yield* write(all.filter((one) => one !== pending)) })
  })

  return { begin, find }
})

const lifetime = Duration.minutes(30)

/** Leaves out the oldest: browsers drop a cookie of more than 4,096 characters. */
const fit = (all: ReadonlyArray<PendingSignIn>): ReadonlyArray<PendingSignIn> =>
  all.length > 1 && encode(all).length > 2_500 ? fit(all.slice(1)) : all

const secret = () => randomBytes(32).toString("base64url")

const Text = Schema.fromJsonString(Schema.Array(PendingSignIn))
const encode = Schema.encodeSync(Text)
const decode = Schema.decodeUnknownOption(Text)

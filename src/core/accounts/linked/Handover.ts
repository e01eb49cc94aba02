import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { errors } from "jose"
import { createHash, randomBytes } from "node:crypto"
import { isPrintable } from "../../../domain/Text.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { longAgo } from "../people/Sessions.ts"
import { handoverIssuerOf } from "../people/SessionWays.ts"
import { authTimeOf } from "./AuthTime.ts"
import { clockTolerance, signRequest, verifyAnswer } from "./HandoverMessages.ts"
import { spendAnswer } from "./SpentAnswers.ts"

/** Circumstances of a sign-in, for the platform's page. */
interface RequestDetails {
  /** App that waits for the sign-in. */
  readonly app?: string | undefined
  /** Parameters of the app's authorization request (OpenID Connect Core 1.0 §3.1.2.1). */
  readonly loginHint?: string | undefined
  readonly uiLocales?: string | undefined
  readonly prompt?: string | undefined
}

/** Answer of the platform, whose signature, age, type, issuer and audience were verified. */
interface Answer {
  /** Names the request. */
  readonly nonce: string
  /** User as the platform names them. */
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** An answer to a request of this browser. */
interface AcceptedAnswer extends Answer {
  /** When the user has shown who they are: the platform's `auth_time`, or now if this server asked for it. */
  readonly authenticatedAt: DateTime.Utc
}

/** An answer that nobody is signed in by. The reason is for the log. */
export class AnswerRefused extends Schema.TaggedError<AnswerRefused>()("AnswerRefused", {
  /** `invalid` is a mistake of the platform, or a forgery; the others happen to people. */
  kind: Schema.Literals(["invalid", "late", "used", "other browser"]),
  reason: Schema.String
}) {}

/**
 * Sign-in by hand-over: the browser goes to the platform's own sign-in page with a signed request, and brings a signed
 * answer back (docs/identity.md).
 */
interface Handover {
  /** Issuer of the platform's accounts. */
  readonly issuer: string
  /**
   * Address of the platform's page with a new request. Its nonce is a digest of the `secret`, which only this browser
   * gets: a person who reads the address cannot use an answer to it. It says as well whether the request had
   * `prompt=login`, which the user can't tamper with.
   */
  readonly ask: (
    about: RequestDetails
  ) => Effect.Effect<{ readonly url: string; readonly nonce: string; readonly secret: string }>
  /** Reads an answer, which counts for nothing before it is accepted. */
  readonly read: (answer: string) => Effect.Effect<Answer, AnswerRefused>
  /** Accepts an answer from the browser with this secret; each request is answered once. */
  readonly accept: (answer: string, secret: string) => Effect.Effect<AcceptedAnswer, AnswerRefused>
}

/** The settings name the platform's page wherever this is used. */
export const makeHandover = Effect.gen(function*() {
  const config = yield* AppConfig
  const clock = yield* DatabaseClock
  const spend = yield* spendAnswer
  const { href } = new URL(Option.getOrThrow(config.handoverUrl))
  const keys = Option.getOrThrow(config.handoverKey)
  const issuer = Option.getOrThrow(handoverIssuerOf(config))

  const ask = Effect.fn("Handover.ask")(function*({ app, loginHint, prompt, uiLocales }: RequestDetails) {
    const secret = yield* Effect.sync(() => randomBytes(32).toString("base64url"))
    const nonce = nonceOf(secret, prompt)
    const issuedAt = Math.floor(DateTime.toEpochMillis(yield* clock.now) / 1000)
    const claims = {
      iss: config.issuer,
      aud: issuer,
      iat: issuedAt,
      exp: issuedAt + Duration.toSeconds(requestLifetime),
      nonce,
      response_uri: new URL(config.authUrl + answerPath).href,
      client_name: app,
      login_hint: loginHint,
      ui_locales: uiLocales,
      prompt
    }
    const request = yield* Effect.promise(() => signRequest(claims, keys[0]))
    const url = new URL(href)
    url.searchParams.set("request", request)
    return { url: url.href, nonce, secret }
  })

  const read = Effect.fn("Handover.read")(function*(answer: string) {
    if (answer.length > longestAnswer) return yield* refuse("invalid", `longer than ${longestAnswer} characters`)
    const now = DateTime.toDateUtc(yield* clock.now)
    const claims = yield* Effect.tryPromise({
      try: () => verifyAnswer(answer, { keys, issuer, audience: config.issuer, now }),
      catch: (cause) =>
        cause instanceof errors.JWTExpired
          ? refuse("late", "expired")
          : refuse("invalid", cause instanceof errors.JOSEError ? `${cause.code}: ${cause.message}` : "malformed")
    })
    return yield* Effect.mapError(
      Effect.map(decodeClaims(claims), ({ nonce, sub }) => ({ nonce, subject: sub, claims })),
      () => refuse("invalid", "without a nonce or a usable sub")
    )
  })

  const accept = Effect.fn("Handover.accept")(function*(text: string, secret: string) {
    const answer = yield* read(text)
    const isAfresh = nonceOf(secret, afresh) === answer.nonce
    if (!isAfresh && nonceOf(secret) !== answer.nonce) {
      return yield* refuse("other browser", "asked for by another browser")
    }
    if (!(yield* spend(answer.nonce))) return yield* refuse("used", "its request was answered before")
    const now = yield* clock.now
    const { auth_time: claim } = answer.claims
    const said = authTimeOf(claim, now, Duration.seconds(clockTolerance))
    if (Option.isNone(said) && claim !== undefined) {
      yield* Effect.logWarning("An auth_time of the platform is no past time in seconds, and was left out")
    }
    return { ...answer, authenticatedAt: Option.getOrElse(said, () => isAfresh ? now : longAgo) }
  })

  return { issuer, ask, read, accept } satisfies Handover
})

/** Path to which the platform's page has the browser post the answer. */
export const answerPath = "/sign-in/handover"

/** Longest time that a sign-in may take on the platform's page. */
export const requestLifetime = Duration.hours(1)

/** A cookie has to hold it, and browsers keep no more than 4,096 bytes of one (RFC 6265 §6.1). */
const longestAnswer = 3500

const refuse = (kind: AnswerRefused["kind"], reason: string) => new AnswerRefused({ kind, reason })

/** Prompt with which a platform asks for the password even if the user is signed in there. */
const afresh = "login"

// A secret has no dot, so no request without the prompt has the nonce of one with it.
const nonceOf = (secret: string, prompt?: string): string =>
  createHash("sha256").update(prompt === afresh ? `${secret}.${afresh}` : secret).digest("base64url")

const decodeClaims = Schema.decodeUnknownEffect(Schema.Struct({
  nonce: Schema.String.check(Schema.isPattern(/^[\w-]{43}$/)),
  // Kept as it is, byte for byte: two users of the platform must not become one.
  sub: Schema.NonEmptyString.check(
    Schema.makeFilter((sub) => sub.length <= 255 && isPrintable(sub) && sub.trim() === sub)
  )
}))

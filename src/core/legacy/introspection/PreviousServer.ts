import { Effect, Option, Redacted, Schema } from "effect"
import { messageOf } from "../../../domain/Cause.ts"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { AnswerTooLarge, boundedFetch } from "../../../foundation/outbound/BoundedFetch.ts"

// This room asks the server before this one about refresh tokens that no import could bring, because it never stored
// them. The token endpoint comes here last, by the port `UnknownTokens`; docs/legacy.md describes what the previous
// server has to answer.

/** The previous server gave no answer that can be used. */
class PreviousServerUnavailable extends Schema.TaggedError<PreviousServerUnavailable>()("PreviousServerUnavailable", {
  /** Goes on from "the previous server"; without anything secret. */
  reason: Schema.String,
  /** It answered something. */
  answered: Schema.Boolean
}) {}

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const seconds = Schema.optionalKey(Schema.NullOr(Schema.Finite))

/** What RFC 7662 §2.2 lets it say of a token that is active, with the words that servers add. */
const ActiveToken = Schema.Struct({
  active: Schema.Literal(true),
  client_id: text,
  iss: text,
  sub: text,
  email: text,
  email_verified: Schema.optionalKey(Schema.Unknown),
  exp: seconds,
  iat: seconds,
  token_use: text,
  typ: text,
  token_type: text
})
export type ActiveToken = typeof ActiveToken.Type

const Answer = Schema.Union([Schema.Struct({ active: Schema.Literal(false) }), ActiveToken])
export type Answer = typeof Answer.Type

/** Where the previous server is asked, and as whom. */
type Access = Pick<
  Settings,
  "legacyIntrospectionClientId" | "legacyIntrospectionClientSecret" | "legacyIntrospectionUrl"
>

/** Asks about a token (RFC 7662 §2.1), if the settings name a previous server. The caller limits the time. */
export const introspection = (
  { legacyIntrospectionClientId, legacyIntrospectionClientSecret, legacyIntrospectionUrl }: Access
): Option.Option<(token: string) => Effect.Effect<Answer, PreviousServerUnavailable>> =>
  Option.map(legacyIntrospectionUrl, (url) => {
    // The settings require both with the address.
    const id = Option.getOrThrow(legacyIntrospectionClientId)
    const secret = Option.getOrThrow(legacyIntrospectionClientSecret)
    const ask = (token: string) => async (signal: AbortSignal) => {
      const response = await boundedFetch(signal)(url, {
        method: "POST",
        headers: { accept: "application/json", authorization: basic(id, secret) },
        body: new URLSearchParams({ token, token_type_hint: "refresh_token" })
      })
      return { status: response.status, body: await response.text() }
    }
    return Effect.fn("PreviousServer.introspect")(function*(token: string) {
      const { body, status } = yield* Effect.tryPromise({ try: ask(token), catch: unreachable })
      if (status !== 200) return yield* unusable(`answers ${status}`)
      return yield* Effect.mapError(
        decodeAnswer(body),
        () => unusable("answers with what is no introspection response")
      )
    })
  })

const decodeAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(Answer))

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
const basic = (id: string, secret: Redacted.Redacted): string =>
  `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(Redacted.value(secret))}`).toString("base64")}`

const formEncoded = (value: string): string => new URLSearchParams({ "": value }).toString().slice(1)

const unusable = (reason: string) => new PreviousServerUnavailable({ reason, answered: true })

/** The message of `fetch` itself is only that it failed. */
const unreachable = (failure: unknown) =>
  failure instanceof AnswerTooLarge ? unusable("answers with too much") : new PreviousServerUnavailable({
    reason: `cannot be reached: ${
      messageOf(failure instanceof Error && failure.cause !== undefined ? failure.cause : failure)
    }`,
    answered: false
  })

/** It was silent for too long. */
export const overdue = new PreviousServerUnavailable({ reason: "does not answer in time", answered: false })

/** Says what an operator may do from `LEGACY_INTROSPECTION_UNTIL` on. */
export const endedText =
  "LEGACY_INTROSPECTION_UNTIL has passed: no server is asked, and LEGACY_INTROSPECTION_* can be removed"

import { DateTime, Effect, Option, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import type { NewRegistration, RegisteredApp } from "../../../core/clients/dynamic/DynamicRegistration.ts"
import { heldMetadata, standingOf } from "../../../core/clients/dynamic/RegistrationRecord.ts"
import {
  type AccessDenied,
  type InvalidBearer,
  type MetadataError,
  TemporarilyUnavailable
} from "../../../domain/OAuthError.ts"
import { retryAfterSeconds, type TooManyAttempts } from "../../../domain/TooManyAttempts.ts"
import type { Unreadable } from "../OAuthRequest.ts"
import { commonHeaders, errorResponse, respond } from "../OAuthResponse.ts"
import { registrationPath } from "../ServerMetadata.ts"

/** Client information (RFC 7592 §3): no secret is ever shown again. */
export const clientInformation = (
  baseUrl: string,
  { client, metadata, registeredAt }: RegisteredApp,
  token: Redacted.Redacted
) => ({
  client_id: client.id,
  client_id_issued_at: Math.floor(DateTime.toEpochMillis(registeredAt) / 1_000),
  ...heldMetadata(metadata, client),
  ...standingOf(client),
  registration_access_token: Redacted.value(token),
  registration_client_uri: `${baseUrl}${registrationPath}/${client.id}`
})

/** Same of an app that has just registered (RFC 7591 §3.2.1). */
export const newClientInformation = (baseUrl: string, registration: NewRegistration) => ({
  ...clientInformation(baseUrl, registration, registration.token),
  ...Option.match(registration.secret, {
    onNone: () => ({}),
    // It does not end by itself.
    onSome: (secret) => ({ client_secret: Redacted.value(secret), client_secret_expires_at: 0 })
  })
})

export const information = (status: number, body: unknown) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: commonHeaders })

export const removed = HttpServerResponse.empty({ status: 204, headers: commonHeaders })

type Response = HttpServerResponse.HttpServerResponse
type Other = MetadataError | TemporarilyUnavailable | Unreadable

/** Answers every failure, some in other words than the other endpoints of OAuth. */
export const answer = <R>(
  effect: Effect.Effect<Response, Other | InvalidBearer | AccessDenied | TooManyAttempts, R>
): Effect.Effect<Response, never, R> =>
  respond(Effect.catchTags(effect, {
    InvalidBearer: (error) => Effect.succeed(errorResponse(error, 401, challenge)),
    AccessDenied: (error) => Effect.succeed(errorResponse(error, 403)),
    TooManyAttempts: (error) => Effect.succeed(errorResponse(tooMany, 429, { "retry-after": retryAfterSeconds(error) }))
  }))

/** One for all reasons: nobody learns which apps there are (RFC 7592 §2). */
const challenge = { "www-authenticate": "Bearer error=\"invalid_token\"" }

const tooMany = new TemporarilyUnavailable({ error_description: "too many requests of this kind, try again later" })

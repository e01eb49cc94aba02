import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { AccessCheck, type Principal } from "../../core/tokens/AccessCheck.ts"
import { scopesReader } from "../../core/tokens/AccessTokenClaims.ts"
import { InvalidToken } from "../../core/tokens/InvalidToken.ts"
import * as Bearer from "../../domain/Bearer.ts"
import { prefixes } from "../../domain/CredentialKind.ts"
import { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { canonical } from "../../domain/ResourceIdentifier.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { readAudience, readBaseUrl } from "./BaseUrl.ts"

export interface Remote {
  /** `BASE_URL` of the Slotkey server. */
  readonly baseUrl: string
  /** Credential of a resource server, which the CLI makes. Programs without Effect have it as a text. */
  readonly credential: string | Redacted.Redacted
  /** Identifier of the resource whose tokens count; unless given it is the API, at `baseUrl`. */
  readonly resource?: string
}

/**
 * Access check for an API in a process of its own. It asks the server about each token (RFC 7662), so it needs neither
 * the database nor a key, and a revocation counts from the next call on here, too.
 */
export const layerRemote = (
  { baseUrl, credential, resource }: Remote
): Layer.Layer<AccessCheck, never, HttpClient.HttpClient> =>
  Layer.effect(
    AccessCheck,
    Effect.gen(function*() {
      const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
      const address = yield* readBaseUrl(baseUrl)
      const audience = yield* readAudience({ baseUrl, resource })
      const scopesOf = scopesReader()
      const secret = textOf(credential)
      const introspection = HttpClientRequest.post(`${address}/v2/auth/oauth2/introspect`).pipe(
        HttpClientRequest.bearerToken(secret)
      )

      const introspect = (token: string) =>
        client.execute(HttpClientRequest.bodyUrlParams(introspection, { token, token_type_hint: "access_token" })).pipe(
          Effect.flatMap(HttpClientResponse.schemaBodyJson(Answer)),
          Effect.timeout("5 seconds"),
          // An answer that cannot be read says as little about the token as none.
          Effect.tapError((error) =>
            OutageLog.report({
              name: "introspection",
              what: "Access tokens cannot be checked.",
              remedy: remedyFor(secret),
              reason: error._tag === "HttpClientError" ? error.message : error._tag
            })
          ),
          Effect.mapError(() => new TemporarilyUnavailable({ error_description: "the token cannot be checked now" }))
        )

      const check = Effect.fnUntraced(function*(token: string) {
        if (!Bearer.isToken(token)) return yield* new InvalidToken({ reason: "malformed" })
        const answer = yield* introspect(token)
        if (!answer.active) return yield* new InvalidToken({ reason: "not active" })
        if (canonical(answer.aud) !== canonical(audience)) {
          return yield* new InvalidToken({ reason: "the token is for another resource" })
        }
        return principal(answer, audience, scopesOf)
      })

      return AccessCheck.of({ check })
    })
  )

/** Programs without types may give a text that is not redacted, or an environment variable that is not set. */
const textOf = (credential: unknown): Redacted.Redacted =>
  Redacted.make(String(Redacted.isRedacted(credential) ? Redacted.value(credential) : credential))

// Reported with the first call, and not when the layer is built: some frameworks load a program to build it, without
// its secrets.
const remedyFor = (secret: Redacted.Redacted): string =>
  Redacted.value(secret).startsWith(prefixes.resourceServer)
    ? "See that the server can be reached at its address, and that it takes the credential."
    : `The credential is not that of a resource server (${prefixes.resourceServer}…), which \`slotkey resource-servers create\` prints.`

const Active = Schema.Struct({
  active: Schema.Literal(true),
  sub: UserId,
  client_id: ClientId,
  grant_id: GrantId,
  jti: Schema.String,
  aud: Schema.String,
  scope: Schema.optionalKey(Schema.String),
  unrestricted: Schema.optionalKey(Schema.Literal(true)),
  iat: Schema.Int,
  exp: Schema.Int
})

const Answer = Schema.Union([Active, Schema.Struct({ active: Schema.Literal(false) })])

const principal = (
  answer: typeof Active.Type,
  audience: string,
  scopesOf: ReturnType<typeof scopesReader>
): Principal => ({
  userId: answer.sub,
  clientId: answer.client_id,
  grantId: answer.grant_id,
  scopes: answer.unrestricted ? null : scopesOf(answer.scope ?? ""),
  id: answer.jti,
  audience,
  issuedAt: DateTime.fromEpochSeconds(answer.iat),
  expiresAt: DateTime.fromEpochSeconds(answer.exp)
})

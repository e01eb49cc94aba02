import { DateTime, Effect, Option } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { GrantedScopes } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { ClientStanding } from "../clients/records/Client.ts"
import { endsAt } from "../grants/Grant.ts"
import { Grants } from "../grants/Grants.ts"
import { AccessCheck } from "./AccessCheck.ts"
import { AccessTokens } from "./AccessTokens.ts"
import type { IntrospectionResponse } from "./IntrospectionResponse.ts"
import * as RefreshToken from "./RefreshToken.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import type { ResourceServer } from "./ResourceServers.ts"

/** Caller: a client asks about its own tokens, a resource server about access tokens of its resource, or of all. */
export type Asker =
  | { readonly _tag: "Client"; readonly client: ClientStanding }
  | { readonly _tag: "ResourceServer"; readonly server: ResourceServer }

/** Token introspection (RFC 7662): tells an authenticated caller whether a token can be used at this moment. */
export const introspection = Effect.gen(function*() {
  const { grantIdleLifetime, issuer } = yield* AppConfig
  const { format } = yield* Catalogue
  const accessCheck = yield* AccessCheck
  const accessTokens = yield* AccessTokens
  const grants = yield* Grants
  const refreshTokens = yield* RefreshTokens

  const activeResponse = (scopes: GrantedScopes, issuedAt: DateTime.Utc, expiresAt: DateTime.Utc) => ({
    active: true,
    ...(scopes === null ? { unrestricted: true as const } : { scope: format(scopes) }),
    iat: seconds(issuedAt),
    exp: seconds(expiresAt)
  })

  // A caller may hand the token on to somebody who verifies the signature alone, so that counts here as well
  // (§4).
  const accessToken = Effect.fnUntraced(function*(asker: Asker, text: string) {
    const token = yield* accessCheck.check(text)
    if (!accessTokens.isSigned(text)) return inactive
    if (asker._tag === "Client" && asker.client.id !== token.clientId) return inactive
    // What is for another resource is for this one no token at all (RFC 7662 §4).
    if (asker._tag === "ResourceServer" && (asker.server.resource ?? token.audience) !== token.audience) return inactive
    return {
      ...activeResponse(token.scopes, token.issuedAt, token.expiresAt),
      client_id: token.clientId,
      token_type: "bearer" as const,
      sub: token.userId,
      aud: token.audience,
      iss: issuer,
      jti: token.id,
      grant_id: token.grantId
    }
  }, Effect.catchTag("InvalidToken", () => Effect.succeed(inactive)))

  // Only clients ask about refresh tokens: a resource server has no use for them.
  const refreshToken = Effect.fnUntraced(function*(client: ClientStanding, token: RefreshToken.RefreshToken) {
    const grant = Option.getOrUndefined(yield* grants.findLive(token.grantId))
    if (grant === undefined || client.status !== "approved" || grant.clientId !== client.id) return inactive
    if (!RefreshToken.belongs(token, grant) || token.generation < grant.generation) return inactive
    return {
      ...activeResponse(grant.scopes, grant.rotatedAt, endsAt(grant, grantIdleLifetime)),
      client_id: client.id,
      sub: grant.userId,
      // This server alone takes it, so no API that compares `aud` mistakes it for an access token.
      aud: issuer,
      iss: issuer
    }
  })

  return Effect.fnUntraced(function*(asker: Asker, text: string) {
    if (asker._tag === "ResourceServer") return yield* accessToken(asker, text)
    const token = yield* refreshTokens.identify(asker.client, text)
    return Option.isSome(token)
      ? yield* refreshToken(asker.client, token.value)
      : yield* accessToken(asker, text)
  })
})

const inactive: IntrospectionResponse = { active: false }

const seconds = (instant: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(instant) / 1000)

import { Clock, Effect, Metric, Option, Result } from "effect"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { readLegacy } from "../../domain/catalogue/LegacyScope.ts"
import { OtherCatalogues } from "../../domain/catalogue/OtherCatalogues.ts"
import type { GrantId, UserId } from "../../domain/Ids.ts"
import { because, InvalidScope } from "../../domain/OAuthError.ts"
import { isSubset, quotable } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as SecurityEvents from "../audit/SecurityEvents.ts"
import { type AuthenticationAttempt, ClientAuthentication } from "../clients/secrets/ClientAuthentication.ts"
import { GrantRevocation } from "../grants/GrantRevocation.ts"
import { Grants } from "../grants/Grants.ts"
import { issueTokens } from "./IssueTokens.ts"
import * as RefreshToken from "./RefreshToken.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import * as RequestedResource from "./RequestedResource.ts"
import { graceReplays, thefts } from "./TokenMetrics.ts"
import { changedMeanwhile, invalidGrant } from "./TokenRefusals.ts"
import { UnknownTokens } from "./UnknownTokens.ts"

/** Parameters of RFC 6749 §6 and RFC 8707 §2.2. */
export interface Refresh {
  readonly refreshToken: string
  readonly scope: string | undefined
  /** Resource of RFC 8707 §2.2, as it was sent. */
  readonly resource?: string | undefined
}

/** Replacement of a refresh token (RFC 6749 §6), as `TokenIssuer` offers it. */
export const tokenRefresh = Effect.gen(function*() {
  const catalogue = yield* Catalogue
  const others = yield* OtherCatalogues
  const clients = yield* ClientAuthentication
  const revocations = yield* GrantRevocation
  const grants = yield* Grants
  const refreshTokens = yield* RefreshTokens
  const issue = yield* issueTokens
  const unknownTokens = yield* UnknownTokens
  const { baseUrl, legacyScopeWords } = yield* AppConfig
  const readResource = RequestedResource.reader(baseUrl)

  const refresh = Effect.fnUntraced(
    function*(attempt: AuthenticationAttempt, { refreshToken, resource, scope }: Refresh) {
      const receivedAt = yield* Clock.monotonicTimeNanos
      const client = yield* clients.resolveEncoding(attempt)
      const token = refreshTokens.read(refreshToken) ?? (yield* identify(client, refreshToken))
      const { generation, grantId, handle } = token
      const named = yield* Effect.tapError(readResource(resource), () => clients.authorize(client))
      const narrowed = scope === undefined ? null : yield* readScope(client, scope, grantId)
      const rotating = grants.rotate({
        grantId,
        generation,
        clientId: client.id,
        secretDigest: client.secretDigest,
        handleDigest: RefreshToken.digest(handle),
        scopes: narrowed,
        ...(named === undefined ? undefined : { resource: named }),
        receivedAt
      })
      let rotated = yield* rotating
      if (rotated._tag === "ClientNotAuthenticated") {
        yield* clients.authorize(client)
        rotated = yield* rotating
      }
      if (rotated._tag !== "Rotated") yield* clients.authorize(client)
      if (rotated._tag === "ClientNotAuthenticated") return yield* changedMeanwhile
      if (rotated._tag === "Refused") return yield* invalidRefreshToken(client.id, rotated.reason, rotated.userId)
      if (rotated._tag === "ScopeExceeded") return yield* widerScope(rotated.userId)
      if (rotated._tag === "OtherResource") return yield* RequestedResource.otherResource(client.id, rotated.userId)
      const { grant } = rotated
      if (rotated._tag === "Repeated") {
        const ids = { client_id: client.id, user_id: grant.userId, grant_id: grantId }
        yield* SecurityEvents.report("refresh_token.grace_replay", ids)
        yield* Metric.update(graceReplays, 1)
      }
      if (rotated._tag === "Reused") {
        yield* revocations.revoke({ grantId, userId: grant.userId, clientId: client.id }, "refresh_token.reused")
        yield* Metric.update(thefts, 1)
        return yield* invalidRefreshToken(client.id, "the token was replaced before", grant.userId)
      }
      const access = {
        userId: grant.userId,
        clientId: client.id,
        grantId,
        scopes: narrowed ?? grant.scopes,
        resource: grant.resource,
        generation: grant.generation
      }
      // The refresh token is made of what the row says, so that every repeat gets the same one.
      return issue(
        access,
        rotated.issuedAt,
        { grantId, handle, generation: grant.generation },
        grant.rotatedAt,
        grant
      )
    }
  )

  /**
   * What is no genuine token of this server: one that an import has brought, or the previous server still knows.
   */
  const identify = Effect.fnUntraced(function*(attempt: AuthenticationAttempt, text: string) {
    const client = yield* clients.authorize(attempt)
    const token = yield* refreshTokens.identify(client, text)
    if (Option.isSome(token)) return token.value
    if (unknownTokens === undefined) return yield* invalidRefreshToken(client.id, "the token is not genuine")
    const adopted = yield* unknownTokens.adopt(client, text, attempt.address)
    return Result.isSuccess(adopted) ? adopted.success : yield* invalidRefreshToken(client.id, adopted.failure)
  })

  // Libraries add words such as offline_access, and legacy apps go on sending those of the old server. They are
  // ignored beside a scope, since a refresh never gives more than the grant. What looks like a scope mistyped is
  // refused.
  const readScope = Effect.fnUntraced(function*(client: AuthenticationAttempt, text: string, grantId: GrantId) {
    const { scopes, words } = catalogue.named(text)
    if (scopes.length > 0 && words.length === 0) return scopes
    const { isLegacyClient, scopeWords } = yield* clients.authorize(client)
    const read = readLegacy(catalogue, text, new Set([...legacyScopeWords, ...scopeWords]))
    // Scopes of another release or catalogue, if the grant names them.
    const mistyped = Result.isFailure(read) ? read.failure : []
    const elsewhere = words.filter((word) => mistyped.includes(word) || isKnownElsewhere(word))
    if (elsewhere.length > 0) {
      const { scopes: granted } = Option.getOrElse(yield* grants.findLive(grantId), () => ({ scopes: [] }))
      // A legacy grant names none.
      const doubtful = granted === null ? mistyped.filter((word) => !isKnownElsewhere(word)) : elsewhere
      if (!isSubset(doubtful, granted ?? [])) return yield* unknownScope(doubtful)
      return catalogue.inOrder([...scopes, ...elsewhere])
    }
    return Result.isSuccess(read) && (read.success !== null || isLegacyClient)
      ? read.success
      : yield* unknownScope(words)
  })

  const isKnownElsewhere = (word: string): boolean => others.now().some((other) => other.isScope(word))

  return refresh
})

const invalidRefreshToken = invalidGrant("the refresh token is invalid, expired, revoked, or another client's")

const unknownScope = (words: ReadonlyArray<string>) =>
  new InvalidScope({
    error_description: words.length === 0
      ? "scope has separators alone"
      : `scope names what does not exist${quotable(words)}`
  })
const widerScope = (userId: UserId) => {
  const description = "the scope exceeds what the user granted"
  return because(new InvalidScope({ error_description: description }), description, userId)
}

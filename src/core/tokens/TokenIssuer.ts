import { Cause, Clock, Context, DateTime, Duration, Effect, Layer, Metric, Option, Result } from "effect"
import * as Credential from "../../domain/Credential.ts"
import { type ClientId, GrantId } from "../../domain/Ids.ts"
import {
  because,
  InvalidGrant,
  InvalidScope,
  TemporarilyUnavailable,
  type UnauthorizedClient
} from "../../domain/OAuthError.ts"
import * as Pkce from "../../domain/Pkce.ts"
import { readLegacy } from "../../domain/scopes/LegacyScope.ts"
import * as Scope from "../../domain/scopes/Scope.ts"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import * as Uuid from "../../domain/Uuid.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import * as SecurityEvents from "../audit/SecurityEvents.ts"
import {
  type AuthenticationAttempt,
  ClientAuthentication,
  type Unauthenticated
} from "../clients/secrets/ClientAuthentication.ts"
import type { RedemptionOutcome } from "../grants/CodeRedemption.ts"
import { GrantRevocation } from "../grants/GrantRevocation.ts"
import { Grants } from "../grants/Grants.ts"
import type { AccessToken } from "./AccessToken.ts"
import { AccessTokens } from "./AccessTokens.ts"
import * as RefreshToken from "./RefreshToken.ts"
import { RefreshTokens } from "./RefreshTokens.ts"
import { codeReplays, graceReplays, thefts } from "./TokenMetrics.ts"
import { type TokenResponse, tokenResponse } from "./TokenResponse.ts"
import { type ExchangeRequest, type Opening, UnansweredExchanges } from "./UnansweredExchanges.ts"
import { UnknownTokens } from "./UnknownTokens.ts"

/** Parameters of RFC 6749 §4.1.3 and RFC 7636 §4.5. */
export interface Exchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string | undefined
}

/** Parameters of RFC 6749 §6. */
interface Refresh {
  readonly refreshToken: string
  readonly scope: string | undefined
}

/**
 * Issues and replaces tokens; the token endpoint calls it. A valid request takes one statement, which authenticates the
 * client as well. When that statement did nothing, the client is authenticated separately before anything else happens:
 * a client that has not authenticated learns nothing and ends nothing.
 */
export class TokenIssuer extends Context.Service<TokenIssuer, {
  /** Exchanges a code for tokens. */
  exchange(
    attempt: AuthenticationAttempt,
    request: Exchange
  ): Effect.Effect<TokenResponse, Unauthenticated | InvalidGrant | UnauthorizedClient>
  /** Replaces a refresh token, and issues an access token with the same or fewer scopes. */
  refresh(
    attempt: AuthenticationAttempt,
    request: Refresh
  ): Effect.Effect<TokenResponse, Unauthenticated | InvalidGrant | InvalidScope | UnauthorizedClient>
}>()("slotkey/core/tokens/TokenIssuer") {
  static readonly layer: Layer.Layer<
    TokenIssuer,
    never,
    | AccessTokens
    | AppConfig
    | ClientAuthentication
    | DatabaseClock
    | GrantRevocation
    | Grants
    | RefreshTokens
    | UnknownTokens
  > = Layer.effect(
    TokenIssuer,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const clients = yield* ClientAuthentication
      const clock = yield* DatabaseClock
      const revocations = yield* GrantRevocation
      const grants = yield* Grants
      const refreshTokens = yield* RefreshTokens
      const unknownTokens = yield* UnknownTokens
      // Read once, so that they are there with 0.
      yield* Effect.forEach([codeReplays, graceReplays, thefts], Metric.value)
      const { codeLifetime, legacyScopeWords } = yield* AppConfig
      const unanswered = new UnansweredExchanges(Duration.toMillis(codeLifetime))

      const exchange = Effect.fnUntraced(function*(
        attempt: AuthenticationAttempt,
        { code, codeVerifier, redirectUri }: Exchange
      ) {
        const client = yield* clients.resolveEncoding(attempt)
        const isCode = Credential.parse("code", code) !== undefined
        if (!isCode || (codeVerifier !== undefined && !Pkce.isVerifier(codeVerifier))) {
          yield* clients.authorize(client)
          return yield* invalidCode(client.id, `the ${isCode ? "code_verifier" : "code"} is malformed`)
        }
        const receivedAt = yield* clock.now
        const now = DateTime.toEpochMillis(receivedAt)
        const request = {
          digest: Credential.digest(code),
          clientId: client.id,
          secretDigest: client.secretDigest,
          redirectUri,
          codeChallenge: codeVerifier === undefined ? null : Pkce.challengeOf(codeVerifier)
        }
        const opening = unanswered.take(request, now) ??
          { grantId: GrantId.make(Uuid.v7(now)), handle: RefreshToken.newHandle() }
        const { grantId, handle } = opening
        const remember = <E>(cause: Cause.Cause<E>) =>
          Effect.sync(() => isAnswer(cause) ? undefined : unanswered.add(request, opening, now))
        const redeemed = yield* Effect.onError(redeem(client, request, opening), remember)
        // A code that was refused, or that another grant has, opened nothing here: there is nothing to remember.
        if (redeemed._tag !== "Redeemed") yield* clients.authorize(client)
        if (redeemed._tag === "Refused") return yield* invalidCode(client.id, redeemed.reason)
        if (redeemed._tag === "Replayed") {
          if (yield* Outages.leavesUnanswered) return yield* perhapsUnanswered
          if (request.codeChallenge !== null && (yield* isJustOpened(redeemed.grantId))) {
            return yield* invalidCode(client.id, "the code was exchanged a moment ago: does the callback run twice?")
          }
          yield* revocations.revoke({ ...redeemed, clientId: client.id }, "code.replayed")
          yield* Metric.update(codeReplays, 1)
          return yield* invalidCode(client.id, "the code was spent before")
        }
        const { migrated, openedAt, scopes, userId } = redeemed
        if (migrated && scopes !== null) yield* Effect.onError(supersede(client.id, userId, grantId), remember)
        const access = { userId, clientId: client.id, grantId, scopes, generation: 0 }
        // A grant that an earlier attempt opened may be older than this request, whose token lives as long as any
        // other.
        const issuedAt = DateTime.max(openedAt, receivedAt)
        const issuing = Effect.sync(() => issue(access, issuedAt, { grantId, handle, generation: 0 }, openedAt))
        return yield* Effect.onError(issuing, remember)
      })

      /** Opens the grant, or finds it opened by an earlier attempt of the same request. */
      const redeem = Effect.fnUntraced(function*(
        client: AuthenticationAttempt,
        request: ExchangeRequest,
        { grantId, handle }: Opening
      ) {
        const redeeming = grants.redeem({ ...request, grantId, handleDigest: RefreshToken.digest(handle) })
        let outcome = yield* redeeming
        if (outcome._tag === "ClientNotAuthenticated") {
          // At the first use of a secret that another server digested, the statement cannot tell that it is right.
          yield* clients.authorize(client)
          outcome = yield* redeeming
        }
        if (outcome._tag === "ClientNotAuthenticated") {
          yield* clients.authorize(client)
          return yield* changedMeanwhile
        }
        return outcome._tag === "Replayed" && outcome.grantId === grantId ? yield* findOpened(client, grantId) : outcome
      })

      /** Grant that an earlier attempt of the same request has opened, without an answer to it. */
      const findOpened = Effect.fnUntraced(function*(client: AuthenticationAttempt, grantId: GrantId) {
        const { migrated } = yield* clients.authorize(client)
        return Option.match(yield* grants.findLive(grantId), {
          onNone: (): Found => ({ _tag: "Refused", reason: "the grant has ended" }),
          onSome: ({ createdAt, scopes, userId }): Found => ({
            _tag: "Redeemed",
            grantId,
            userId,
            scopes,
            migrated,
            openedAt: createdAt
          })
        })
      })

      /**
       * Tells whether the grant was opened so short a time ago that a second exchange of its code comes from the party
       * that has the verifier, whose callback runs twice. RFC 6749 §4.1.2 asks to refuse that, and only recommends to
       * revoke.
       */
      const isJustOpened = Effect.fnUntraced(function*(grantId: GrantId) {
        const grant = yield* grants.findLive(grantId)
        const now = yield* clock.now
        return Option.exists(
          grant,
          ({ createdAt }) => DateTime.isLessThan(now, DateTime.addDuration(createdAt, doubleCallback))
        )
      })

      // The code is spent by now. After an error the client would repeat it, and so end the grant that it opened.
      const supersede = (...grant: Parameters<typeof revocations.supersede>) =>
        revocations.supersede(...grant).pipe(
          Effect.sandbox,
          Effect.retry({ times: 3 }),
          Effect.timeout("2 seconds"),
          Effect.provideService(StatementTimeout, Duration.seconds(1)),
          Outages.bestEffort("Legacy grants live on until the next consent")
        )

      const refresh = Effect.fnUntraced(function*(attempt: AuthenticationAttempt, { refreshToken, scope }: Refresh) {
        const receivedAt = yield* Clock.monotonicTimeNanos
        const client = yield* clients.resolveEncoding(attempt)
        const token = refreshTokens.read(refreshToken) ?? (yield* identify(client, refreshToken))
        const { generation, grantId, handle } = token
        const narrowed = scope === undefined ? null : yield* readScope(client, scope, grantId)
        const rotating = grants.rotate({
          grantId,
          generation,
          clientId: client.id,
          secretDigest: client.secretDigest,
          handleDigest: RefreshToken.digest(handle),
          scopes: narrowed,
          receivedAt
        })
        let rotated = yield* rotating
        if (rotated._tag === "ClientNotAuthenticated") {
          yield* clients.authorize(client)
          rotated = yield* rotating
        }
        if (rotated._tag !== "Rotated") yield* clients.authorize(client)
        if (rotated._tag === "ClientNotAuthenticated") return yield* changedMeanwhile
        if (rotated._tag === "Refused") return yield* invalidRefreshToken(client.id, rotated.reason)
        if (rotated._tag === "ScopeExceeded") return yield* widerScope
        const { grant } = rotated
        if (rotated._tag === "Repeated") {
          const ids = { client_id: client.id, user_id: grant.userId, grant_id: grantId }
          yield* SecurityEvents.report("refresh_token.grace_replay", ids)
          yield* Metric.update(graceReplays, 1)
        }
        if (rotated._tag === "Reused") {
          yield* revocations.revoke({ grantId, userId: grant.userId, clientId: client.id }, "refresh_token.reused")
          yield* Metric.update(thefts, 1)
          return yield* invalidRefreshToken(client.id, "the token was replaced before")
        }
        const access = {
          userId: grant.userId,
          clientId: client.id,
          grantId,
          scopes: narrowed ?? grant.scopes,
          generation: grant.generation
        }
        // The refresh token is made of what the row says, so that every repeat gets the same one.
        return issue(
          access,
          rotated.issuedAt,
          { grantId, handle, generation: grant.generation },
          grant.rotatedAt
        )
      })

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
        const { scopes, words } = Scope.named(text)
        if (scopes.length > 0 && words.length === 0) return scopes
        const { isLegacyClient, scopeWords } = yield* clients.authorize(client)
        const read = readLegacy(text, new Set([...legacyScopeWords, ...scopeWords]))
        if (Result.isFailure(read)) {
          // Scopes of another release, if the grant names them.
          const granted = Option.getOrUndefined(yield* grants.findLive(grantId))?.scopes ?? []
          if (!Scope.isSubset(read.failure, granted)) return yield* unknownScope(read.failure)
          return Scope.inOrder([...scopes, ...read.failure])
        }
        return read.success !== null || isLegacyClient ? read.success : yield* unknownScope(words)
      })

      /** Makes an access token issued at `from`, and a refresh token under the key of `at`. */
      const issue = (
        access: AccessToken,
        from: DateTime.Utc,
        refresh: RefreshToken.RefreshToken,
        at: DateTime.Utc
      ): TokenResponse =>
        tokenResponse({
          accessToken: accessTokens.write(access, from),
          refreshToken: refreshTokens.write(refresh, at),
          scopes: access.scopes
        })

      return TokenIssuer.of({ exchange, refresh })
    })
  )
}

/** Time within which a callback that runs twice presents its code again. */
const doubleCallback = Duration.seconds(10)

/** Grant of a code, as it is known once the client is authenticated. */
type Found = Exclude<RedemptionOutcome, { readonly _tag: "ClientNotAuthenticated" }>

/** Tells whether a failure says what became of the request: one that asks to try again does not, nor does a fault. */
const isAnswer = (cause: Cause.Cause<unknown>) =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => !(error instanceof TemporarilyUnavailable || error instanceof TooManyAttempts)
  )

/** Names the check that failed in the log and to the owner of the app, never to the caller. */
const invalidGrant = (description: string) =>
  Effect.fnUntraced(function*(clientId: ClientId, reason: string) {
    yield* Effect.logInfo(`Refused: ${description}`).pipe(Effect.annotateLogs({ client_id: clientId, reason }))
    return yield* because(new InvalidGrant({ error_description: description }), reason)
  })
const invalidCode = invalidGrant("the authorization code is invalid, expired, spent, or does not match the request")
const invalidRefreshToken = invalidGrant("the refresh token is invalid, expired, revoked, or another client's")

const unknownScope = (words: ReadonlyArray<string>) =>
  new InvalidScope({
    error_description: words.length === 0
      ? "scope has separators alone"
      : `scope names what does not exist${Scope.quotable(words)}`
  })
const widerScope = Effect.fail(new InvalidScope({ error_description: "the scope exceeds what the user granted" }))
// After an outage the exchange that spent the code may be one to which another node could give no answer. Only that
// node knows, so the client is sent on; a genuine replay still gains nothing.
const perhapsUnanswered = Effect.fail(
  new TemporarilyUnavailable({ error_description: "the database failed just now, try again shortly" })
)
// The client changed between the statement that refused it and the check that explains why.
const changedMeanwhile = Effect.fail(
  new TemporarilyUnavailable({ error_description: "the app was changed just now, try again" })
)

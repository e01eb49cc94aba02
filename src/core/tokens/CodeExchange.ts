import { Cause, DateTime, Duration, Effect, Metric, Option } from "effect"
import * as Credential from "../../domain/Credential.ts"
import { GrantId } from "../../domain/Ids.ts"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import * as Pkce from "../../domain/Pkce.ts"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import * as Uuid from "../../domain/Uuid.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import { type AuthenticationAttempt, ClientAuthentication } from "../clients/secrets/ClientAuthentication.ts"
import type { RedemptionOutcome } from "../grants/CodeRedemption.ts"
import { GrantRevocation } from "../grants/GrantRevocation.ts"
import { Grants } from "../grants/Grants.ts"
import { type GrantEnds, issueTokens } from "./IssueTokens.ts"
import * as RefreshToken from "./RefreshToken.ts"
import * as RequestedResource from "./RequestedResource.ts"
import { codeReplays } from "./TokenMetrics.ts"
import { changedMeanwhile, invalidGrant } from "./TokenRefusals.ts"
import { type ExchangeRequest, type Opening, UnansweredExchanges } from "./UnansweredExchanges.ts"

/** Parameters of RFC 6749 §4.1.3, RFC 7636 §4.5 and RFC 8707 §2.2. */
export interface Exchange {
  readonly code: string
  readonly redirectUri: string
  readonly codeVerifier: string | undefined
  /** Resource of RFC 8707 §2.2, as it was sent. */
  readonly resource?: string | undefined
}

/** Exchange of a code for tokens (RFC 6749 §4.1.3), as `TokenIssuer` offers it. */
export const codeExchange = Effect.gen(function*() {
  const clients = yield* ClientAuthentication
  const clock = yield* DatabaseClock
  const revocations = yield* GrantRevocation
  const grants = yield* Grants
  const issue = yield* issueTokens
  const { baseUrl, codeLifetime, grantIdleLifetime, grantLifetime } = yield* AppConfig
  const readResource = RequestedResource.reader(baseUrl)
  const unanswered = new UnansweredExchanges(Duration.toMillis(codeLifetime))

  const exchange = Effect.fnUntraced(function*(
    attempt: AuthenticationAttempt,
    { code, codeVerifier, redirectUri, resource }: Exchange
  ) {
    const client = yield* clients.resolveEncoding(attempt)
    const isCode = Credential.parse("code", code) !== undefined
    if (!isCode || (codeVerifier !== undefined && !Pkce.isVerifier(codeVerifier))) {
      yield* clients.authorize(client)
      return yield* invalidCode(client.id, `the ${isCode ? "code_verifier" : "code"} is malformed`)
    }
    const named = yield* Effect.tapError(readResource(resource), () => clients.authorize(client))
    const receivedAt = yield* clock.now
    const now = DateTime.toEpochMillis(receivedAt)
    const request = {
      digest: Credential.digest(code),
      clientId: client.id,
      secretDigest: client.secretDigest,
      redirectUri,
      codeChallenge: codeVerifier === undefined ? null : Pkce.challengeOf(codeVerifier),
      ...(named === undefined ? undefined : { resource: named })
    }
    const opening = unanswered.take(request, now) ??
      { grantId: GrantId.make(Uuid.v7(now)), handle: RefreshToken.newHandle() }
    const answer = yield* Effect.onError(
      openGrant(client, request, opening, receivedAt),
      (cause) => Effect.sync(() => isAnswer(cause) ? undefined : unanswered.add(request, opening, now))
    )
    return "_tag" in answer ? yield* explain(client, request, answer) : answer
  })

  /** Opens the grant and issues its tokens, or returns why nothing was opened: then there is nothing to remember. */
  const openGrant = Effect.fnUntraced(function*(
    client: AuthenticationAttempt,
    request: ExchangeRequest,
    opening: Opening,
    receivedAt: DateTime.Utc
  ) {
    const redeemed = yield* redeem(client, request, opening)
    if (redeemed._tag !== "Redeemed") return redeemed
    const { expiresAt, migrated, openedAt, resource = null, scopes, userId } = redeemed
    const { grantId, handle } = opening
    // What the old grants were for is the API.
    if (migrated && scopes !== null && resource === null) yield* supersede(client.id, userId, grantId)
    const access = { userId, clientId: client.id, grantId, scopes, resource, generation: 0 }
    // A grant that an earlier attempt opened may be older than this request, whose token lives as long as any other.
    const issuedAt = DateTime.max(openedAt, receivedAt)
    return issue(access, issuedAt, { grantId, handle, generation: 0 }, openedAt, endsOf(openedAt, expiresAt))
  })

  const endsOf = (openedAt: DateTime.Utc, ending: DateTime.Utc | null | undefined): GrantEnds => {
    const latest = DateTime.addDuration(openedAt, grantLifetime)
    const expiresAt = ending ? DateTime.min(latest, ending) : latest
    return { expiresAt, endsAt: DateTime.min(expiresAt, DateTime.addDuration(openedAt, grantIdleLifetime)) }
  }

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
      onSome: ({ createdAt, expiresAt, resource, scopes, userId }): Found => ({
        _tag: "Redeemed",
        grantId,
        userId,
        scopes,
        resource,
        migrated,
        openedAt: createdAt,
        expiresAt
      })
    })
  })

  /** Says why a code was not exchanged. One that was spent before ends its grant (RFC 6749 §4.1.2). */
  const explain = Effect.fnUntraced(function*(
    client: AuthenticationAttempt,
    request: ExchangeRequest,
    outcome: Exclude<Found, { readonly _tag: "Redeemed" }>
  ) {
    yield* clients.authorize(client)
    if (outcome._tag === "Refused") return yield* invalidCode(client.id, outcome.reason, outcome.userId)
    if (outcome._tag === "OtherResource") return yield* RequestedResource.otherResource(client.id, outcome.userId)
    if (yield* Outages.leavesUnanswered) return yield* perhapsUnanswered
    if (request.codeChallenge !== null && (yield* isJustOpened(outcome.grantId))) {
      return yield* invalidCode(client.id, exchangedJustNow, outcome.userId)
    }
    yield* revocations.revoke({ ...outcome, clientId: client.id }, "code.replayed")
    yield* Metric.update(codeReplays, 1)
    return yield* invalidCode(client.id, "the code was spent before", outcome.userId)
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

  return exchange
})

/** Time within which a callback that runs twice presents its code again. */
const doubleCallback = Duration.seconds(10)

const exchangedJustNow = "the code was exchanged a moment ago: does the callback run twice?"

/** Grant of a code, as it is known once the client is authenticated. */
type Found = Exclude<RedemptionOutcome, { readonly _tag: "ClientNotAuthenticated" }>

/** Tells whether a failure says what became of the request: one that asks to try again does not, nor does a fault. */
const isAnswer = (cause: Cause.Cause<unknown>) =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => !(error instanceof TemporarilyUnavailable || error instanceof TooManyAttempts)
  )

const invalidCode = invalidGrant("the authorization code is invalid, expired, spent, or does not match the request")

// After an outage the exchange that spent the code may be one to which another node could give no answer. Only that
// node knows, so the client is sent on; a genuine replay still gains nothing.
const perhapsUnanswered = Effect.fail(
  new TemporarilyUnavailable({ error_description: "the database failed just now, try again shortly" })
)

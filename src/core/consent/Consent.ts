import { Context, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { OtherCatalogues } from "../../domain/catalogue/OtherCatalogues.ts"
import type { ClientId } from "../../domain/Ids.ts"
import type { AuthorizationError } from "../../domain/OAuthError.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import * as TransactionLock from "../../foundation/database/TransactionLock.ts"
import { NewConnection } from "../../foundation/jobs/kinds/NewConnection.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import type { Account } from "../accounts/people/Account.ts"
import { type Session, SessionEnded, Sessions } from "../accounts/people/Sessions.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { ClientRegistry } from "../clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../clients/life/RefusedRequests.ts"
import { Client } from "../clients/records/Client.ts"
import { documentDigest } from "../clients/records/DocumentDigest.ts"
import { TestGuests } from "../clients/testapps/TestGuests.ts"
import type { Grant } from "../grants/Grant.ts"
import { Grants } from "../grants/Grants.ts"
import type { RefusalCause } from "../legacy/migration/LegacyRefusals.ts"
import { LegacyTraffic } from "../legacy/migration/LegacyTraffic.ts"
import { callerDevice } from "../limits/CallerDevice.ts"
import type { Resource } from "../resources/Resource.ts"
import { Resources } from "../resources/Resources.ts"
import {
  type AuthorizationRequest,
  type Unredirectable,
  type UnvalidatedRequest,
  validateClient,
  validateRequest,
  validateScope
} from "./AuthorizationRequest.ts"
import * as AuthorizationResponse from "./AuthorizationResponse.ts"
import { type Choice, judge, type NothingChosen, type OrganizationDecides } from "./Choice.ts"
import { findResource } from "./FindResource.ts"
import { declinableOf } from "./Given.ts"
import { codeIssuer } from "./IssueCode.ts"
import { unknownResource, validateTarget, withScope } from "./NamedResource.ts"
import { givenBefore } from "./PriorConsent.ts"
import { questionStore } from "./QuestionStore.ts"
import { endingInTime } from "./TestGrants.ts"
import { withheldFrom } from "./Withheld.ts"

/**
 * A valid request that waits for the user's decision. The decision names it by its id; nothing else in the form counts.
 */
export interface Question {
  readonly _tag: "Question"
  readonly id: string
  readonly request: AuthorizationRequest
  /** Scopes that the user may decline. */
  readonly offered: ReadonlyArray<ScopeName>
  /** Scopes that the user can't give, because others decide for the organization. */
  readonly withheld: ReadonlyArray<ScopeName>
  /** False if the request can't be allowed without something that is withheld. */
  readonly mayAllow: boolean
  /** Resource for which it asks; `null` for the API. */
  readonly resource: Pick<Resource, "identifier" | "name"> | null
  /** Live grants that the user has given the app for it before, the newest first. */
  readonly grants: ReadonlyArray<Grant>
}

/** A response to the app that needs no decision of the user. */
interface Redirect {
  readonly _tag: "Redirect"
  readonly location: string
}

/** Signed-in user of whom an app asks something, as they are known now. */
interface Asked {
  readonly session: Session
  readonly account: Account
}

/** The question was answered before, has expired, or belongs to another session. */
class QuestionClosed extends Schema.TaggedError<QuestionClosed>()("QuestionClosed", {}) {}

/** A test app asks somebody who is neither its owner nor a guest of it: only the user learns of that. */
class NotGuest extends Schema.TaggedError<NotGuest>()("NotGuest", { client: Client }) {}

/** Answers authorization requests: at once, or with what the user decides. The authorization endpoint calls it. */
export class Consent extends Context.Service<Consent, {
  /** Answers the request of a signed-in user's app at once, with a code or an error, or keeps it as a question. */
  authorize(
    user: Asked,
    client: Client,
    sent: UnvalidatedRequest
  ): Effect.Effect<Question | Redirect, SessionEnded | NotGuest>
  /**
   * Closes a question and returns the redirect to the app. Only the first decision on a question counts; one that
   * chooses nothing, or what others decide, leaves it open.
   */
  decide(
    user: Asked,
    id: string,
    choice: Choice
  ): Effect.Effect<string, Unredirectable | NotGuest | QuestionClosed | NothingChosen | OrganizationDecides>
}>()("slotkey/core/consent/Consent") {
  static readonly layer = Layer.effect(
    Consent,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const config = yield* AppConfig
      const { issuer, legacyScopeWords } = config
      const catalogue = yield* Catalogue
      const others = yield* OtherCatalogues
      const audit = yield* AuditLog
      const clients = yield* ClientRegistry
      const clock = yield* DatabaseClock
      const digestOf = yield* documentDigest
      const grants = yield* Grants
      const guests = yield* TestGuests
      const issueCode = yield* codeIssuer
      const outbox = yield* Outbox
      const questions = yield* questionStore
      const refusedRequests = yield* RefusedRequests
      const namedBy = yield* findResource
      const resources = yield* Resources
      const sessions = yield* Sessions
      const traffic = yield* LegacyTraffic

      // In a decision this is a savepoint, so that a failure does not undo the decision.
      const countRefused = (client: Client, cause: RefusalCause) =>
        traffic.countRefused(client.id, cause).pipe(
          sql.withTransaction,
          Outages.bestEffort("A refused request was not counted")
        )

      const answerError = Effect.fnUntraced(
        function*(
          { userId }: Session,
          client: Client,
          target: AuthorizationResponse.RedirectTarget,
          problem: AuthorizationError,
          namesScopes: boolean
        ) {
          const { error, error_description: reason } = problem
          const named = { clientId: client.id, isKnown: true, userId, endpoint: "authorize" } as const
          yield* refusedRequests.record({ ...named, error, reason })
          if (error === "invalid_scope") yield* countRefused(client, namesScopes ? "refusedScopes" : "withoutScope")
          return AuthorizationResponse.withError(target, problem, issuer)
        }
      )

      /** Refuses a test app to all but those who may use it, and lets it learn nothing of them. */
      const refuseStrangers = Effect.fnUntraced(function*(client: Client, { userId }: Session) {
        if (client.isTestApp && !(yield* guests.mayUse(client, userId))) {
          return yield* new NotGuest({ client })
        }
      })

      /** Resource of a request, which stays until the transaction ends: one that is deleted meanwhile is unknown. */
      const lockResource = Effect.fnUntraced(function*({ resource, scopes }: AuthorizationRequest, by: Catalogue) {
        if (resource === null) return api
        const locked = Result.fromOption(yield* resources.lock(resource), () => unknownResource)
        if (Result.isFailure(locked)) return locked
        return Result.map(validateTarget(by, locked.success, scopes), () => locked.success)
      })

      const authorize = Effect.fn("Consent.authorize")(
        function*(user: Asked, client: Client, given: UnvalidatedRequest) {
          yield* refuseStrangers(client, user.session)
          const named = yield* namedBy(given)
          // Without a scope, a legacy app asks for everything.
          const sent = client.legacy ? given : withScope(given, named)
          const valid = validateRequest(catalogue, client, sent, named, legacyScopeWords, yield* DateTime.now)
          if (Result.isFailure(valid)) {
            return redirect(
              yield* answerError(user.session, client, sent, valid.failure.error, sent.parameters.has("scope"))
            )
          }
          const request = valid.success
          if (client.legacy) {
            yield* traffic.count(client.id, request.scopes, catalogue.named(sent.parameters.get("scope") ?? "").words)
          }
          return yield* issueOrAsk(user, client, sent, request)
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      /** Keeps an approval of this app from being undone until the consent is given, or waits until it was. */
      const lockApproval = (clientId: ClientId) => TransactionLock.share(sql, `consents ${clientId}`)

      /** Tells whether the app is what the request was judged by; of another one, users are asked. */
      const isUnchanged = Effect.fnUntraced(function*({ id, version }: Client) {
        yield* lockApproval(id)
        return Option.exists(yield* clients.find(id), (current) => current.version === version)
      })

      // A concurrent deactivation ends sessions before codes. It waits for this lock, or it was first and the session
      // is gone.
      const issueOrAsk = Effect.fnUntraced(
        function*(
          { account, session }: Asked,
          client: Client,
          sent: UnvalidatedRequest,
          request: AuthorizationRequest
        ) {
          if (!(yield* sessions.lock(session))) return yield* new SessionEnded()
          const target = yield* lockResource(request, catalogue)
          if (Result.isFailure(target)) {
            return redirect(yield* answerError(session, client, request, target.failure.error, true))
          }
          const all = yield* grants.listLive(session.userId, client.id)
          const live = ofResource(all, request)
          const given = givenBefore(catalogue, client, sent, request, live)
          if (given !== undefined && (yield* isUnchanged(client))) {
            // Behind the lock for which the removal of a guest waits.
            yield* refuseStrangers(client, session)
            const code = yield* issueCode(session.userId, request, given, all)
            return redirect(AuthorizationResponse.withCode(request, code, issuer))
          }
          const offered = declinableOf(catalogue, client, request.scopes)
          const id = yield* questions.keep(session, { ...request, offered })
          const { scopes } = request
          const withholds = withheldFrom(account, config)
          const withheld = (scopes ?? []).filter((scope) => withholds(catalogue, [scope]))
          const mayAllow = scopes === null
            ? !withholds(catalogue, scopes)
            : withheld.length < scopes.length && withheld.every((scope) => offered.includes(scope))
          return {
            _tag: "Question",
            id,
            request,
            resource: target.success,
            offered,
            withheld,
            mayAllow,
            grants: live
          } satisfies Question
        },
        sql.withTransaction
      )

      /** Catalogue by which the user was asked, by this node or by one with another catalogue that counts as well. */
      const asking = (scopes: GrantedScopes): Catalogue => {
        const all = [catalogue, ...others.now()]
        return all.find(({ isScope }) => scopes?.every(isScope)) ?? catalogue
      }

      const decide = Effect.fn("Consent.decide")(
        function*({ account, session }: Asked, id: string, choice: Choice) {
          const { userId } = session
          const withholds = withheldFrom(account, config)
          const question = yield* questions.take(session, id)
          if (Option.isNone(question)) return yield* new QuestionClosed()
          const { offered, ...request } = question.value
          yield* lockApproval(request.clientId)
          // Meanwhile the app may have been suspended, edited or deleted.
          const client = yield* Effect.fromResult(
            validateClient(yield* clients.find(request.clientId), request.redirectUri)
          )
          yield* refuseStrangers(client, session)
          const asked = asking(request.scopes)
          const validScope = validateScope(asked, client, request.scopes)
          if (Result.isFailure(validScope)) {
            return yield* answerError(session, client, request, validScope.failure.error, request.scopes !== null)
          }
          const target = yield* lockResource(request, asked)
          if (Result.isFailure(target)) {
            return yield* answerError(session, client, request, target.failure.error, true)
          }
          const all = yield* grants.listLive(userId, client.id)
          const live = ofResource(all, request)
          const { scopes } = request
          const isWithheld = (scopes: GrantedScopes) => withholds(asked, scopes)
          const judged = judge(
            asked,
            client,
            { scopes, offered: offered ?? [], isWithheld },
            choice,
            live,
            yield* clock.now
          )
          const textOf = (scopes: GrantedScopes) => scopes === null ? null : catalogue.format(scopes)
          const at = request.resource === null ? {} : { resource: request.resource }
          const trail = { actor: userId, clientId: client.id, userId }
          if (Result.isFailure(judged)) {
            const error = judged.failure
            if (error._tag !== "AccessDenied") return yield* error
            yield* audit.record({ ...trail, action: "consent.denied", details: { scope: textOf(scopes), ...at } })
            return AuthorizationResponse.withError(request, error, issuer)
          }
          const document = yield* digestOf(client)
          const given = endingInTime(client, judged.success, yield* clock.now)
          yield* audit.record({
            ...trail,
            action: "consent.allowed",
            details: {
              scope: textOf(given.scopes),
              ...at,
              ...(given.scopes?.length === scopes?.length ? {} : { asked: textOf(scopes) }),
              ...(given.expiresAt === null ? {} : { until: DateTime.formatIso(given.expiresAt) }),
              ...(document === undefined ? {} : { document })
            }
          })
          if (all.length === 0) {
            const device = yield* callerDevice
            yield* outbox.publish(
              NewConnection.make({ userId, clientId: client.id, scopes: given.scopes, ...device })
            )
          }
          const code = yield* issueCode(userId, request, given, all)
          return AuthorizationResponse.withCode(request, code, issuer)
        },
        inTransaction(sql)
      )

      return Consent.of({ authorize, decide })
    })
  )
}

/** Grants for the resource of a request: what was given for another says nothing of it. */
const ofResource = (grants: ReadonlyArray<Grant>, { resource }: AuthorizationRequest) =>
  grants.filter((grant) => grant.resource === resource)

const api = Result.succeed(null)

const redirect = (location: string): Redirect => ({ _tag: "Redirect", location })

import { Context, DateTime, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { randomBytes } from "node:crypto"
import { AccessDenied, type AuthorizationError } from "../../domain/OAuthError.ts"
import { format } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import { NewConnection } from "../../foundation/jobs/kinds/NewConnection.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { type Session, Sessions } from "../accounts/Sessions.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { Client } from "../clients/Client.ts"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import { RefusedRequests } from "../clients/RefusedRequests.ts"
import { CodeStore } from "../grants/CodeStore.ts"
import type { Grant } from "../grants/Grant.ts"
import { Grants } from "../grants/Grants.ts"
import { LegacyTraffic } from "../legacy/migration/LegacyTraffic.ts"
import {
  AuthorizationRequest,
  type Unredirectable,
  type UnvalidatedRequest,
  validateClient,
  validateRequest,
  validateScope
} from "./AuthorizationRequest.ts"
import * as AuthorizationResponse from "./AuthorizationResponse.ts"
import { coversRequest } from "./PriorConsent.ts"

// This room holds the rules of the authorization endpoint (RFC 6749 §3.1): what an app may request, what its user is asked, and
// what follows from the decision. The consent door turns them into pages and redirects.

/** A valid request that waits for the user's decision. The decision names it by its id; nothing else in the form counts. */
export interface Question {
  readonly _tag: "Question"
  readonly id: string
  readonly request: AuthorizationRequest
  /** The live grants that the user has given the app before. */
  readonly grants: ReadonlyArray<Grant>
}

/** A response to the app that needs no decision of the user. */
export interface Redirect {
  readonly _tag: "Redirect"
  readonly location: string
}

export type Decision = "allow" | "deny"

/** The question was answered before, has expired, or belongs to another session. */
export class QuestionClosed extends Schema.TaggedError<QuestionClosed>()("QuestionClosed", {}) {}

/** The session ended while its request was handled. */
export class SessionEnded extends Schema.TaggedError<SessionEnded>()("SessionEnded", {}) {}

export class Consent extends Context.Service<Consent, {
  /** Answers the request of a signed-in user's app at once, with a code or an error, or keeps it as a question. */
  authorize(
    session: Session,
    client: Client,
    sent: UnvalidatedRequest
  ): Effect.Effect<Question | Redirect, SessionEnded>
  /** Closes a question and returns the redirect to the app. Only the first decision on a question counts. */
  decide(session: Session, id: string, decision: Decision): Effect.Effect<string, Unredirectable | QuestionClosed>
}>()("slotkey/core/consent/Consent") {
  static readonly layer: Layer.Layer<
    Consent,
    never,
    | SqlClient.SqlClient
    | AppConfig
    | AuditLog
    | ClientRegistry
    | CodeStore
    | Grants
    | LegacyTraffic
    | Outbox
    | RefusedRequests
    | Sessions
  > = Layer.effect(
    Consent,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { issuer } = yield* AppConfig
      const audit = yield* AuditLog
      const clients = yield* ClientRegistry
      const codes = yield* CodeStore
      const grants = yield* Grants
      const outbox = yield* Outbox
      const refusedRequests = yield* RefusedRequests
      const sessions = yield* Sessions
      const traffic = yield* LegacyTraffic

      const insertQuestion = SqlSchema.void({
        Request: QuestionRow,
        execute: (row) => sql`INSERT INTO authorization_requests ${sql.insert(row)}`
      })

      const deleteOldest = (sessionDigest: Uint8Array, newest: string) =>
        sql`DELETE FROM authorization_requests WHERE session_digest = ${sessionDigest} AND id NOT IN (
          SELECT id FROM authorization_requests WHERE session_digest = ${sessionDigest}
          ORDER BY id = ${newest} DESC, expires_at DESC LIMIT ${maxOpenQuestions})`

      const takeQuestion = SqlSchema.findOneOption({
        Request: Schema.Struct({
          id: Schema.String,
          sessionDigest: Schema.Uint8Array,
          now: Schema.DateTimeUtcFromDate
        }),
        Result: AuthorizationRequest,
        execute: ({ id, now, sessionDigest }) =>
          sql`DELETE FROM authorization_requests
            WHERE id = ${id} AND session_digest = ${sessionDigest} AND expires_at > ${now} RETURNING *`
      })

      const answerError = Effect.fnUntraced(
        function*(
          client: Client,
          target: AuthorizationResponse.RedirectTarget,
          problem: AuthorizationError,
          namesScopes: boolean
        ) {
          const { error, error_description: reason } = problem
          yield* refusedRequests.record({ clientId: client.id, endpoint: "authorize", error, reason })
          if (error === "invalid_scope" && !namesScopes) yield* traffic.countRefused(client)
          return AuthorizationResponse.withError(target, problem, issuer)
        }
      )

      const authorize = Effect.fn("Consent.authorize")(
        function*(session: Session, client: Client, sent: UnvalidatedRequest) {
          const valid = validateRequest(client, sent)
          if (Result.isFailure(valid)) {
            return redirect(yield* answerError(client, sent, valid.failure, sent.parameters.has("scope")))
          }
          const request = valid.success
          if (client.legacy) yield* traffic.count(client.id, request.scopes)
          return yield* issueOrAsk(session, client, sent, request)
        },
        Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
      )

      // A concurrent deactivation ends sessions before codes. It waits for this lock, or it was first and the session is gone.
      const issueOrAsk = Effect.fnUntraced(
        function*(session: Session, client: Client, sent: UnvalidatedRequest, request: AuthorizationRequest) {
          if (!(yield* sessions.lock(session))) return yield* new SessionEnded()
          const live = yield* grants.liveFor(session.userId, client.id)
          if (coversRequest(client, sent, request, live)) {
            const code = yield* codes.issue({ ...request, userId: session.userId })
            return redirect(AuthorizationResponse.withCode(request, code, issuer))
          }
          const id = randomBytes(16).toString("base64url")
          const expiresAt = DateTime.addDuration(yield* DateTime.now, questionLifetime)
          yield* insertQuestion({ ...request, id, sessionDigest: session.digest, expiresAt })
          yield* deleteOldest(session.digest, id)
          return { _tag: "Question", id, request, grants: live } satisfies Question
        },
        sql.withTransaction
      )

      const decide = Effect.fn("Consent.decide")(
        function*(session: Session, id: string, decision: Decision) {
          const { userId } = session
          const question = yield* takeQuestion({ id, sessionDigest: session.digest, now: yield* DateTime.now })
          if (Option.isNone(question)) return yield* new QuestionClosed()
          const request = question.value
          // Meanwhile the app may have been suspended, edited or deleted.
          const client = yield* Effect.fromResult(
            validateClient(yield* clients.find(request.clientId), request.redirectUri)
          )
          const validScope = validateScope(client, request.scopes)
          if (Result.isFailure(validScope)) {
            return yield* answerError(client, request, validScope.failure, request.scopes !== null)
          }
          yield* audit.record({
            actor: userId,
            action: decision === "allow" ? "consent.allowed" : "consent.denied",
            clientId: client.id,
            userId,
            details: { scope: request.scopes === null ? null : format(request.scopes) }
          })
          if (decision === "deny") return AuthorizationResponse.withError(request, denied, issuer)
          if ((yield* grants.liveFor(userId, client.id)).length === 0) {
            yield* outbox.publish(NewConnection.make({ userId, clientId: client.id }))
          }
          const code = yield* codes.issue({ ...request, userId })
          return AuthorizationResponse.withCode(request, code, issuer)
        },
        sql.withTransaction,
        Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
      )

      return Consent.of({ authorize, decide })
    })
  )
}

/** Questions that were not answered in time. */
export const sweeps = [Sweep.expired("authorization_requests", "expires_at")]

const redirect = (location: string): Redirect => ({ _tag: "Redirect", location })

const denied = new AccessDenied({ error_description: "the user denied the request" })

const questionLifetime = Duration.minutes(30)

/** The questions that a session keeps open. Of more, the oldest go: their tabs have been closed. */
const maxOpenQuestions = 20

const QuestionRow = Schema.Struct({
  ...AuthorizationRequest.fields,
  id: Schema.String,
  sessionDigest: Schema.Uint8Array,
  expiresAt: Schema.DateTimeUtcFromDate
})

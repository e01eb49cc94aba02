import { Context, DateTime, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { randomBytes } from "node:crypto"
import { AccessDenied } from "../../domain/OAuthError.ts"
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
  type Query,
  type Unredirectable,
  validate,
  validateClient,
  validateScope
} from "./AuthorizationRequest.ts"
import * as AuthorizationResponse from "./AuthorizationResponse.ts"
import { coversRequest } from "./PriorConsent.ts"

/** What the user is asked. The decision names it by its id, and nothing else that the browser sends counts. */
export interface Question {
  readonly _tag: "Question"
  readonly id: string
  readonly request: AuthorizationRequest
  /** What the user has granted to the app already. */
  readonly grants: ReadonlyArray<Grant>
}

/** An answer to the app that needs no decision of the user. */
export interface Answer {
  readonly _tag: "Answer"
  readonly location: string
}

export type Decision = "allow" | "deny"

/** The question was answered before, has expired, or is another session's. */
export class NoQuestion extends Schema.TaggedError<NoQuestion>()("NoQuestion", {}) {}

/** The user has been signed out since the request came. */
export class SessionEnded extends Schema.TaggedError<SessionEnded>()("SessionEnded", {}) {}

/** The authorization endpoint behind its pages: what is asked of users, and what they decide. */
export class Consent extends Context.Service<Consent, {
  /** Judges what an app sent its signed-in user with: an answer at once, or a question that is kept for the decision. */
  ask(session: Session, client: Client, query: Query): Effect.Effect<Question | Answer, SessionEnded>
  /** Spends the question and answers where the browser goes: of any number of decisions one counts. */
  decide(session: Session, id: string, decision: Decision): Effect.Effect<string, Unredirectable | NoQuestion>
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

      const keep = SqlSchema.void({
        Request: Row,
        execute: (row) => sql`INSERT INTO authorization_requests ${sql.insert(row)}`
      })

      // Who opens more has closed the tabs before.
      const forget = (sessionDigest: Uint8Array, newest: string) =>
        sql`DELETE FROM authorization_requests WHERE session_digest = ${sessionDigest} AND id NOT IN (
          SELECT id FROM authorization_requests WHERE session_digest = ${sessionDigest}
          ORDER BY id = ${newest} DESC, expires_at DESC LIMIT ${openQuestions})`

      const spend = SqlSchema.findOneOption({
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

      const ask = Effect.fn("Consent.ask")(
        function*(session: Session, client: Client, query: Query) {
          const valid = validate(client, query)
          if (Result.isFailure(valid)) {
            const { error, error_description: reason } = valid.failure
            yield* refusedRequests.record({ clientId: client.id, endpoint: "authorize", error, reason })
            if (error === "invalid_scope" && !query.others.has("scope")) yield* traffic.countRefused(client)
            return answer(AuthorizationResponse.refused(query, valid.failure, issuer))
          }
          const request = valid.success
          if (client.legacy) yield* traffic.count(client.id, request.scopes)
          return yield* settle(session, client, query, request)
        },
        Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
      )

      // A deactivation ends sessions before it withdraws codes: it waits for this one, or this finds no session.
      const settle = Effect.fnUntraced(
        function*(session: Session, client: Client, query: Query, request: AuthorizationRequest) {
          if (!(yield* sessions.lock(session))) return yield* new SessionEnded()
          const live = yield* grants.liveFor(session.userId, client.id)
          if (coversRequest(client, query, request, live)) {
            const code = yield* codes.issue({ ...request, userId: session.userId })
            return answer(AuthorizationResponse.granted(request, code, issuer))
          }
          const id = randomBytes(16).toString("base64url")
          const expiresAt = DateTime.addDuration(yield* DateTime.now, patience)
          yield* keep({ ...request, id, sessionDigest: session.digest, expiresAt })
          yield* forget(session.digest, id)
          return { _tag: "Question", id, request, grants: live } satisfies Question
        },
        sql.withTransaction
      )

      const decide = Effect.fn("Consent.decide")(
        function*(session: Session, id: string, decision: Decision) {
          const found = yield* spend({ id, sessionDigest: session.digest, now: yield* DateTime.now })
          if (Option.isNone(found)) return yield* new NoQuestion()
          const request = found.value
          // Since the question was asked the app may have been suspended, edited or deleted.
          const client = yield* Effect.fromResult(
            validateClient(yield* clients.find(request.clientId), request.redirectUri)
          )
          const permitted = validateScope(client, request.scopes)
          if (Result.isFailure(permitted)) {
            const { error, error_description: reason } = permitted.failure
            yield* refusedRequests.record({ clientId: client.id, endpoint: "authorize", error, reason })
            if (request.scopes === null) yield* traffic.countRefused(client)
            return AuthorizationResponse.refused(request, permitted.failure, issuer)
          }
          yield* audit.record({
            actor: session.userId,
            action: decision === "allow" ? "consent.allowed" : "consent.denied",
            clientId: client.id,
            userId: session.userId,
            details: { scope: request.scopes === null ? null : format(request.scopes) }
          })
          if (decision === "deny") return AuthorizationResponse.refused(request, denied, issuer)
          const { userId } = session
          if ((yield* grants.liveFor(userId, client.id)).length === 0) {
            yield* outbox.publish(NewConnection.make({ userId, clientId: client.id }))
          }
          const code = yield* codes.issue({ ...request, userId })
          return AuthorizationResponse.granted(request, code, issuer)
        },
        sql.withTransaction,
        Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
      )

      return Consent.of({ ask, decide })
    })
  )
}

/** Questions that nobody has answered in time. */
export const sweeps = [Sweep.expired("authorization_requests", "expires_at")]

const answer = (location: string): Answer => ({ _tag: "Answer", location })

const denied = new AccessDenied({ error_description: "the user denied the request" })

/** How long a question waits for its decision. */
const patience = Duration.minutes(30)

/** How many questions wait for one session at most; of more the oldest are forgotten. */
const openQuestions = 20

const Row = Schema.Struct({
  ...AuthorizationRequest.fields,
  id: Schema.String,
  sessionDigest: Schema.Uint8Array,
  expiresAt: Schema.DateTimeUtcFromDate
})

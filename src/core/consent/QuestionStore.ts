import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { ScopeName } from "../../domain/scopes/Scope.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Column from "../../foundation/database/Column.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../foundation/database/Rows.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import type { Session } from "../accounts/people/Sessions.ts"
import { AuthorizationRequest } from "./AuthorizationRequest.ts"

/** Requests that wait for the decision of a user, each bound to the session that was asked. */
export const questionStore = Effect.gen(function*() {
  const { authorizationRequestLifetime } = yield* AppConfig
  const clock = yield* DatabaseClock
  const sql = yield* SqlClient.SqlClient

  const deleteOldest = (sessionDigest: Uint8Array, newest: string) =>
    sql`DELETE FROM authorization_requests WHERE session_digest = ${sessionDigest} AND id NOT IN (
      SELECT id FROM authorization_requests WHERE session_digest = ${sessionDigest}
      ORDER BY id = ${newest} DESC, expires_at DESC LIMIT ${maxOpen})`

  /** Keeps a request for `AUTHORIZATION_REQUEST_LIFETIME`, and returns the id of the question. */
  const keep = Effect.fn("QuestionStore.keep")(function*({ digest }: Session, request: KeptQuestion) {
    const id = yield* Effect.sync(() => randomBytes(16).toString("base64url"))
    const expiresAt = DateTime.toDateUtc(DateTime.addDuration(yield* clock.now, authorizationRequestLifetime))
    const row = { ...request, id, sessionDigest: digest, expiresAt }
    yield* sql`INSERT INTO authorization_requests ${sql.insert(row)}`
    yield* deleteOldest(digest, id)
    return id
  }, Effect.orDie)

  /** Takes an open question of the session, which closes it. */
  const take = Effect.fn("QuestionStore.take")(function*({ digest }: Session, id: string) {
    return yield* firstRequest(sql`DELETE FROM authorization_requests
      WHERE id = ${id} AND session_digest = ${digest} AND expires_at > ${DateTime.toDateUtc(yield* clock.now)}
      RETURNING ${Column.names(KeptQuestion.fields)}`)
  }, Effect.orDie)

  return { keep, take }
})

export const sweeps = [
  Sweep.expired({
    table: "authorization_requests",
    column: "expires_at",
    retention: "authorizationRequestLifetime",
    rows: "requests that the user did not decide on in time"
  })
]

/** Questions that a session keeps open. Of more, the oldest go: their tabs have been closed. */
const maxOpen = 20

const KeptQuestion = Schema.Struct({
  ...AuthorizationRequest.fields,
  /** Scopes that the user was offered to decline; a server of the release before offers none, and leaves `null`. */
  offered: Schema.NullOr(Schema.Array(ScopeName))
})
type KeptQuestion = typeof KeptQuestion.Type

const firstRequest = Rows.first(KeptQuestion)

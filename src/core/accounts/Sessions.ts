import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHmac } from "node:crypto"
import * as Credential from "../../domain/Credential.ts"
import { UserId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"

export interface Session {
  readonly userId: UserId
  /** The digest of the session token: the key of the row. */
  readonly digest: Uint8Array
  /** The CSRF token of this session's forms. The session token cannot be derived from it. */
  readonly csrf: string
}

/**
 * Sign-ins of browsers. A session ends when it has not been used for `SESSION_LIFETIME`, and at the latest
 * `SESSION_MAX_LIFETIME` after it began.
 */
export class Sessions extends Context.Service<Sessions, {
  start(userId: UserId): Effect.Effect<Credential.Credential>
  find(token: string): Effect.Effect<Option.Option<Session>>
  /** Tells whether the session is live, and keeps it so until the caller's transaction ends. */
  lock(session: Session): Effect.Effect<boolean>
  end(token: string): Effect.Effect<void>
  /** Ends the sessions of an account but the one with the digest `except`. */
  endAll(userId: UserId, except?: Uint8Array): Effect.Effect<void>
}>()("slotkey/core/accounts/Sessions") {
  static readonly layer: Layer.Layer<Sessions, never, AppConfig | DatabaseClock | SqlClient.SqlClient> = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const { sessionLifetime, sessionMaxLifetime } = yield* AppConfig

      const selectLive = SqlSchema.findOneOption({
        Request: Schema.Struct({
          digest: Schema.Uint8Array,
          now: Schema.DateTimeUtcFromDate,
          oldest: Schema.DateTimeUtcFromDate
        }),
        Result: Schema.Struct({ userId: UserId, lastSeenAt: Schema.DateTimeUtcFromDate }),
        execute: ({ digest, now, oldest }) =>
          sql`SELECT user_id, last_seen_at FROM sessions
            WHERE digest = ${digest} AND expires_at > ${now} AND created_at > ${oldest}`
      })

      const start = Effect.fn("Sessions.start")(function*(userId: UserId) {
        const token = yield* Credential.make("session")
        const now = yield* clock.now
        yield* sql`INSERT INTO sessions ${
          sql.insert({
            digest: Credential.digest(Redacted.value(token)),
            userId,
            createdAt: DateTime.toDateUtc(now),
            lastSeenAt: DateTime.toDateUtc(now),
            expiresAt: DateTime.toDateUtc(DateTime.addDuration(now, sessionLifetime))
          })
        }`
        return token
      }, Effect.orDie)

      const touch = Effect.fnUntraced(function*(digest: Uint8Array, now: DateTime.Utc) {
        const due = DateTime.toDateUtc(DateTime.subtractDuration(now, touchInterval))
        // The condition lets only the first of concurrent requests write.
        yield* sql`UPDATE sessions SET last_seen_at = ${DateTime.toDateUtc(now)},
            expires_at = ${DateTime.toDateUtc(DateTime.addDuration(now, sessionLifetime))}
          WHERE digest = ${digest} AND last_seen_at <= ${due}`
      })

      const find = Effect.fn("Sessions.find")(function*(token: string) {
        if (Credential.parse("session", token) === undefined) return Option.none<Session>()
        const digest = Credential.digest(token)
        const now = yield* clock.now
        const found = yield* selectLive({ digest, now, oldest: DateTime.subtractDuration(now, sessionMaxLifetime) })
        if (Option.isNone(found)) return Option.none<Session>()
        const { lastSeenAt, userId } = found.value
        if (DateTime.isLessThanOrEqualTo(DateTime.addDuration(lastSeenAt, touchInterval), now)) {
          yield* Outages.bestEffort("The use of a session was not noted")(touch(digest, now))
        }
        return Option.some({ userId, digest, csrf: csrfOf(token) })
      }, Effect.orDie)

      const lock = Effect.fn("Sessions.lock")(function*({ digest }: Session) {
        return (yield* sql`SELECT 1 FROM sessions WHERE digest = ${digest} FOR KEY SHARE`).length === 1
      }, Effect.orDie)

      const end = Effect.fn("Sessions.end")(function*(token: string) {
        yield* sql`DELETE FROM sessions WHERE digest = ${Credential.digest(token)}`
      }, Effect.orDie)

      const endAll = Effect.fn("Sessions.endAll")(function*(userId: UserId, except?: Uint8Array) {
        yield* sql`DELETE FROM sessions WHERE user_id = ${userId} AND digest IS DISTINCT FROM ${except ?? null}`
      }, Effect.orDie)

      return Sessions.of({ start, find, lock, end, endAll })
    })
  )
}

export const sweeps = [
  Sweep.expired({ table: "sessions", column: "expires_at", setting: "sessionLifetime", rows: "sign-ins that ended" })
]

// A session in constant use writes its row once in this time, not with every request.
const touchInterval = Duration.minutes(1)

const csrfOf = (token: string): string => createHmac("sha256", token).update("csrf").digest("base64url")

import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import * as Credential from "../../../domain/Credential.ts"
import { UserId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { CallerAddress } from "../../limits/CallerAddress.ts"
import { CallerBrowser } from "../../limits/CallerBrowser.ts"
import { longestBrowser } from "../../limits/CallerDevice.ts"
import type { Subject } from "./ExternalIdentity.ts"
import { KeptNotice } from "./KeptNotice.ts"
import { LiveSession } from "./LiveSession.ts"
import { type EndedOrigin, sessionEnds } from "./SessionEnds.ts"
import { type SessionWay, waysInUse } from "./SessionWays.ts"

/** The session ended while its request was handled. */
export class SessionEnded extends Schema.TaggedError<SessionEnded>()("SessionEnded", {}) {}

export interface Session {
  readonly userId: UserId
  /** Digest of the session token: the key of the row. */
  readonly digest: Uint8Array
  /** CSRF token of this session's forms. The session token cannot be derived from it. */
  readonly csrf: string
  /**
   * True if it stands for what the browser shows with each request (`IdentitySource.browserUser`), and for nothing
   * else.
   */
  readonly ofBrowser: boolean
  /** When the user has shown who they are; `longAgo` if nobody has said when that was. */
  readonly authenticatedAt: DateTime.Utc
  /** True if that is within `RECENT_SIGN_IN`. */
  readonly isRecent: boolean
  /** Notices that were left and not taken yet (`PageNotices`). */
  readonly notices: ReadonlyArray<KeptNotice>
}

/** Sign-in elsewhere from which a session comes. */
export interface SessionOrigin {
  /** Identity at its provider, which may end the session by it; `sid` is the provider's name for its own session. */
  readonly identity?: Subject & { readonly way: SessionWay; readonly sid?: string | undefined }
  /**
   * When the user has shown who they are, if not now: a user who is signed in at a provider may come from it without
   * being asked.
   */
  readonly authenticatedAt?: DateTime.Utc | undefined
  readonly ofBrowser?: boolean
}

/**
 * Stands for the instant of a sign-in elsewhere at which the user may have been asked for nothing: it is never recent.
 */
export const longAgo = DateTime.makeUnsafe(0)

/** How far the clock of a provider may be ahead. */
export const clockTolerance = Duration.seconds(30)

/**
 * Sign-ins of browsers. A session ends when it has not been used for `SESSION_LIFETIME`, and at the latest
 * `SESSION_MAX_LIFETIME` after it began.
 */
export class Sessions extends Context.Service<Sessions, {
  /**
   * Keeps the address and the browser of the caller with the session, for the user's list. The trail tells of the
   * sign-in.
   */
  start(userId: UserId, origin?: SessionOrigin): Effect.Effect<Credential.Credential>
  /**
   * Live session with this token. It is over where `SIGN_IN` does not name its way any more, or another issuer is set.
   */
  find(token: string): Effect.Effect<Option.Option<Session>>
  /** Tells whether the session is live, and keeps it so until the caller's transaction ends. */
  lock(session: Session): Effect.Effect<boolean>
  /** Live sessions of an account, the last used first. */
  list(userId: UserId): Effect.Effect<ReadonlyArray<LiveSession>>
  end(token: string): Effect.Effect<void>
  /** Ends a session of this account by its id; answers whether there was one. */
  endOne(userId: UserId, id: string): Effect.Effect<boolean>
  /**
   * Ends the sessions that come from a provider's session `sid`, or without one, all from its user. A session of which
   * the provider did not name its own ends with its user.
   */
  endFrom(origin: EndedOrigin): Effect.Effect<void>
  /**
   * Ends the sessions of an account but the one with the digest `except`; `by` is the actor of the trail, if not the
   * user.
   */
  endAll(userId: UserId, by?: string, except?: Uint8Array): Effect.Effect<number>
  /** Ends the sessions of all accounts; answers how many there were. */
  endEverybodys(by: string): Effect.Effect<number>
}>()("slotkey/core/accounts/people/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const audit = yield* AuditLog
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const config = yield* AppConfig
      const { recentSignIn, sessionLifetime, sessionMaxLifetime, signIn } = config

      // A session is over where nobody signs in any more by its way, at its issuer. What a browser shows with each
      // request is judged there.
      const ways = waysInUse(config)
      const names = [...ways.values()].map(({ name }) => name)
      const isOfSomeWay = sql`(of_browser OR CASE WHEN issuer IS NULL THEN ${signIn.has("local")}
        ELSE way = ANY(${names}::text[]) END)`

      const isLive = (now: DateTime.Utc) => {
        const oldest = DateTime.toDateUtc(DateTime.subtractDuration(now, sessionMaxLifetime))
        return sql`expires_at > ${DateTime.toDateUtc(now)} AND created_at > ${oldest} AND ${isOfSomeWay}`
      }

      const start = Effect.fn("Sessions.start")(function*(
        userId: UserId,
        { authenticatedAt, identity, ofBrowser = false }: SessionOrigin = {}
      ) {
        const token = yield* Credential.make("session")
        const now = yield* clock.now
        const userAgent = (yield* CallerBrowser)?.slice(0, longestBrowser) ?? null
        const address = (yield* CallerAddress) ?? null
        const row = {
          digest: Credential.digest(Redacted.value(token)),
          userId,
          userAgent,
          address,
          createdAt: DateTime.toDateUtc(now),
          authenticatedAt: DateTime.toDateUtc(notLaterThan(now, authenticatedAt)),
          lastSeenAt: DateTime.toDateUtc(now),
          expiresAt: DateTime.toDateUtc(DateTime.addDuration(now, sessionLifetime)),
          way: identity === undefined ? null : ways.get(identity.way)?.name ?? identity.way,
          issuer: identity?.issuer ?? null,
          subject: identity?.subject ?? null,
          sid: identity?.sid ?? null,
          ofBrowser
        }
        yield* sql.withTransaction(
          sql`INSERT INTO sessions ${sql.insert(row)}`.pipe(Effect.andThen(audit.record({
            actor: userId,
            action: "session.started",
            userId,
            details: identity === undefined
              ? { way: ofBrowser ? "browser" : "local" }
              : { way: identity.way, issuer: identity.issuer }
          })))
        )
        return token
      }, Effect.orDie)

      const touch = Effect.fnUntraced(function*(digest: Uint8Array, now: DateTime.Utc) {
        const due = DateTime.toDateUtc(DateTime.subtractDuration(now, touchInterval))
        const address = (yield* CallerAddress) ?? null
        // The condition lets only the first of concurrent requests write.
        yield* sql`UPDATE sessions SET last_seen_at = ${DateTime.toDateUtc(now)},
            expires_at = ${DateTime.toDateUtc(DateTime.addDuration(now, sessionLifetime))},
            address = COALESCE(${address}::text, address)
          WHERE digest = ${digest} AND last_seen_at <= ${due}`
      })

      const find = Effect.fn("Sessions.find")(function*(token: string) {
        if (Credential.parse("session", token) === undefined) return Option.none<Session>()
        const digest = Credential.digest(token)
        const now = yield* clock.now
        const found = yield* firstFound(
          sql`SELECT user_id, last_seen_at, COALESCE(authenticated_at, created_at) AS authenticated_at, of_browser, notices
            FROM sessions WHERE digest = ${digest} AND ${isLive(now)}`
        )
        if (Option.isNone(found)) return Option.none<Session>()
        const { authenticatedAt, lastSeenAt, notices, ofBrowser, userId } = found.value
        if (DateTime.isLessThanOrEqualTo(DateTime.addDuration(lastSeenAt, touchInterval), now)) {
          yield* Outages.bestEffort("The use of a session was not noted")(touch(digest, now))
        }
        const live = notices?.filter(({ until }) => DateTime.isGreaterThan(until, now)) ?? []
        const isRecent = ofBrowser || DateTime.isGreaterThan(DateTime.addDuration(authenticatedAt, recentSignIn), now)
        return Option.some({ userId, digest, csrf: csrfOf(token), ofBrowser, authenticatedAt, isRecent, notices: live })
      }, Effect.orDie)

      const lock = Effect.fn("Sessions.lock")(function*({ digest }: Session) {
        return (yield* sql`SELECT 1 FROM sessions WHERE digest = ${digest} FOR KEY SHARE`).length === 1
      }, Effect.orDie)

      const list = Effect.fn("Sessions.list")(function*(userId: UserId) {
        return yield* allLive(
          sql`SELECT encode(digest, 'hex') AS id, created_at, last_seen_at, user_agent, address FROM sessions
            WHERE user_id = ${userId} AND ${isLive(yield* clock.now)}
            ORDER BY last_seen_at DESC, created_at DESC, digest`
        )
      }, Effect.orDie)

      return Sessions.of({ start, find, lock, list, ...yield* sessionEnds })
    })
  )
}

export const sweeps = [
  Sweep.expired({ table: "sessions", column: "expires_at", retention: "sessionLifetime", rows: "sign-ins that ended" })
]

// A session in constant use writes its row once in this time, not with every request.
const touchInterval = Duration.minutes(1)

const firstFound = Rows.first(
  Schema.Struct({
    userId: UserId,
    lastSeenAt: Schema.DateTimeUtcFromDate,
    authenticatedAt: Schema.DateTimeUtcFromDate,
    ofBrowser: Schema.Boolean,
    notices: Schema.NullOr(Schema.Array(KeptNotice))
  })
)

const allLive = Rows.all(LiveSession)

// No sign-in is later than its session. Clocks differ a little; what is further ahead is no time of a sign-in.
const notLaterThan = (now: DateTime.Utc, at: DateTime.Utc = now): DateTime.Utc =>
  DateTime.isGreaterThan(at, DateTime.addDuration(now, clockTolerance)) ? longAgo : DateTime.min(at, now)

const csrfOf = (token: string): string => createHmac("sha256", token).update("csrf").digest("base64url")

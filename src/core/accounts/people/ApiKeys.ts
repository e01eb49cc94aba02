import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type BadRequest, Conflict, NotFound } from "../../../domain/ApiError.ts"
import * as Credential from "../../../domain/Credential.ts"
import { ApiKeyId, UserId } from "../../../domain/Ids.ts"
import * as Input from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"
import { Line } from "../../../domain/Text.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Outages from "../../../foundation/database/Outages.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { CredentialNotice } from "../../../foundation/jobs/kinds/CredentialNotice.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { Budgets } from "../../limits/Budgets.ts"
import { callerDevice } from "../../limits/CallerDevice.ts"
import { ApiKey } from "./ApiKey.ts"
import { ClaimedRoles } from "./ClaimedRoles.ts"

/** The end of the key has passed. */
export class ApiKeyExpired extends Schema.TaggedError<ApiKeyExpired>()("ApiKeyExpired", {
  expiresAt: Schema.DateTimeUtc
}) {}

/** Keys with which scripts call the management API as the account that made them. */
export class ApiKeys extends Context.Service<ApiKeys, {
  /**
   * The key is in this answer only: the database keeps its digest. Without an end it works until it is revoked; one of
   * an account with a role by a claim has an end.
   */
  create(
    userId: UserId,
    name: string,
    by: string,
    expiresAt?: DateTime.Utc | null
  ): Effect.Effect<{ readonly info: ApiKey; readonly key: Credential.Credential }, BadRequest | Conflict>
  /** Keys that are not revoked, newest first; those that have ended stay among them for a while. */
  list(userId: UserId): Effect.Effect<ReadonlyArray<ApiKey>>
  /** Revokes a key of this account at once; `by` is the actor of the trail. */
  revoke(userId: UserId, id: string, by: string): Effect.Effect<void, NotFound>
  revokeAll(userId: UserId, by: string): Effect.Effect<void>
  /** Revokes a key that was found in public, and tells its owner where. */
  endLeaked(leak: LeakedKey): Effect.Effect<void>
  /** Account that the key belongs to. Records its use, at most once a minute. */
  verify(key: string): Effect.Effect<Option.Option<UserId>, ApiKeyExpired>
}>()("slotkey/core/accounts/people/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const budgets = yield* Budgets
      const claimedRoles = yield* ClaimedRoles
      const outbox = yield* Outbox

      const tell = (
        event: "api_key.created" | "api_key.revoked" | "api_key.leaked",
        userId: UserId,
        lastFour: ReadonlyArray<string>,
        by: string,
        found: { readonly foundAt?: string } = {}
      ) =>
        Effect.flatMap(
          by === userId ? callerDevice : Effect.succeed({}),
          (device) =>
            outbox.publish(CredentialNotice.make({ userId, event, clientId: null, lastFour, by, ...device, ...found }))
        )

      // Makes concurrent requests see each other's keys, so that the limit holds.
      const lock = (userId: UserId) => TransactionLock.take(sql, `api_keys ${userId}`)

      const list = Effect.fn("ApiKeys.list")((userId: UserId) =>
        Effect.orDie(allKeys(sql`SELECT ${Column.names(ApiKey.fields)} FROM api_keys
          WHERE user_id = ${userId} AND revoked_at IS NULL ORDER BY created_at DESC, id`))
      )

      const create = Effect.fn("ApiKeys.create")(function*(
        userId: UserId,
        input: string,
        by: string,
        expiresAt: DateTime.Utc | null = null
      ) {
        const createdAt = yield* clock.now
        const isPast = expiresAt !== null && !DateTime.isGreaterThan(expiresAt, createdAt)
        const isEndless = expiresAt === null && Option.isSome(yield* claimedRoles.find(userId))
        const name = yield* decodeName(input, isPast ? [endInPast] : isEndless ? [endNeeded] : [])
        const key = yield* Credential.make("apiKey")
        const text = Redacted.value(key)
        const id = yield* Effect.sync(() => ApiKeyId.make(randomUUID()))
        const lastFour = Credential.lastFour(text)
        const info = new ApiKey({ id, name, lastFour, createdAt, lastUsedAt: null, expiresAt })
        const row = { ...encodeInfo(info), userId, digest: Credential.digest(text) }
        yield* Effect.gen(function*() {
          yield* lock(userId)
          if ((yield* list(userId)).filter((one) => one.isLive(createdAt)).length >= maxKeys) return yield* tooMany
          yield* budgets.spend("change", userId)
          yield* sql`INSERT INTO api_keys ${sql.insert(row)}`
          yield* audit.record({ actor: by, action: "api_key.created", userId, details: { name, lastFour } })
          yield* tell("api_key.created", userId, [lastFour], by)
        }).pipe(inTransaction(sql))
        return { info, key }
      })

      /** Revokes keys of the account, with an entry of the trail for each and one mail; answers their number. */
      const end = Effect.fnUntraced(function*(userId: UserId, which: Statement.Fragment, by: string, leak?: LeakedKey) {
        const now = DateTime.toDateUtc(yield* clock.now)
        const rows = yield* sql<{ lastFour: string }>`UPDATE api_keys SET revoked_at = ${now}
          WHERE ${which} AND user_id = ${userId} AND revoked_at IS NULL RETURNING last_four`
        if (rows.length === 0) return 0
        const event = leak === undefined ? "api_key.revoked" : "api_key.leaked"
        const where = leak && { foundAt: leak.foundAt, source: leak.source }
        yield* audit.recordAll(
          rows.map(({ lastFour }) => ({ actor: by, action: event, userId, details: { lastFour, ...where } }))
        )
        const found = leak && { foundAt: leak.foundAt }
        yield* tell(event, userId, rows.map(({ lastFour }) => lastFour), by, found)
        return rows.length
      })

      const revoke = Effect.fn("ApiKeys.revoke")(
        function*(userId: UserId, id: string, by: string) {
          // The database would refuse some texts with an error.
          const ended = isUuid(id) ? yield* end(userId, sql`id = ${id}`, by) : 0
          if (ended === 0) return yield* notFound
        },
        inTransaction(sql)
      )

      const revokeAll = Effect.fn("ApiKeys.revokeAll")(
        (userId: UserId, by: string) => Effect.andThen(lock(userId), end(userId, sql`true`, by)),
        Effect.asVoid,
        inTransaction(sql)
      )

      const endLeaked = Effect.fn("ApiKeys.endLeaked")(
        (leak: LeakedKey) => end(leak.userId, sql`id = ${leak.id}`, leak.by, leak),
        Effect.asVoid,
        inTransaction(sql)
      )

      const verify = Effect.fn("ApiKeys.verify")(function*(key: string) {
        if (Credential.parse("apiKey", key) === undefined) return Option.none<UserId>()
        const found = yield* firstUsed(sql`SELECT ${Column.names(UsedKey.fields)} FROM api_keys
          WHERE digest = ${Credential.digest(key)} AND revoked_at IS NULL`)
        if (Option.isNone(found)) return Option.none<UserId>()
        const { expiresAt, id, lastUsedAt, userId } = found.value
        const now = yield* clock.now
        if (expiresAt !== null && !DateTime.isGreaterThan(expiresAt, now)) {
          return yield* new ApiKeyExpired({ expiresAt })
        }
        if (
          lastUsedAt === null ||
          DateTime.isLessThanOrEqualTo(DateTime.addDuration(lastUsedAt, touchInterval), now)
        ) {
          yield* Outages.bestEffort("The use of an API key was not noted")(
            sql`UPDATE api_keys SET last_used_at = ${DateTime.toDateUtc(now)} WHERE id = ${id}`
          )
        }
        return Option.some(userId)
      }, Effect.catchTag("SqlError", Effect.die))

      return ApiKeys.of({ create, list, revoke, revokeAll, endLeaked, verify })
    })
  ).pipe(Layer.provide(ClaimedRoles.layer))
}

interface LeakedKey {
  readonly userId: UserId
  readonly id: ApiKeyId
  readonly by: string
  /** Address and kind of the place where it was found, as its finder wrote them. */
  readonly foundAt: string
  readonly source: string
}

/** Keys that were revoked or have ended are kept for a while, to show what had access. */
export const sweeps = [
  Sweep.where(
    { table: "api_keys", retention: "ownerHistoryLifetime", rows: "API keys that were revoked or have ended" },
    (sql, ago, { ownerHistoryLifetime }) =>
      sql`revoked_at <= ${ago(ownerHistoryLifetime)} OR expires_at <= ${ago(ownerHistoryLifetime)}`
  )
]

const UsedKey = Schema.Struct({ ...Struct.pick(ApiKey.fields, ["id", "lastUsedAt", "expiresAt"]), userId: UserId })

const allKeys = Rows.all(ApiKey)
const firstUsed = Rows.first(UsedKey)
const encodeInfo = Schema.encodeSync(ApiKey)

const maxKeys = 50

// A key in constant use writes its row once in this time, not with every request.
const touchInterval = Duration.minutes(1)

/** Name of a new key, unless it or another field cannot be used: the error names all of them. */
export const decodeName = (
  input: string,
  others: ReadonlyArray<Input.Fault>
): Effect.Effect<string, BadRequest> =>
  Effect.matchEffect(Schema.decodeEffect(Line(1, 100))(input), {
    onFailure: () => Effect.fail(Input.invalid([unusableName, ...others])),
    onSuccess: (name) => others.length === 0 ? Effect.succeed(name) : Effect.fail(Input.invalid(others))
  })

const unusableName = { path: "name", ...broken("length", { least: 1, most: 100 }) }
const endNeeded = { path: "expiresAt", ...broken("endMissing") }
const endInPast = { path: "expiresAt", ...broken("endPassed") }

const isUuid = Schema.is(Schema.String.check(Schema.isUUID()))
const notFound = new NotFound({ code: "api_key_not_found", message: "The account has no such API key." })
const tooMany = new Conflict({
  code: "too_many_api_keys",
  message: `An account has at most ${maxKeys} API keys. Revoke one that is not in use.`
})

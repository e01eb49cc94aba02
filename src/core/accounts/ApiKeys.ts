import { Context, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { randomUUID } from "node:crypto"
import { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import * as Credential from "../../domain/Credential.ts"
import { ApiKeyId, UserId } from "../../domain/Ids.ts"
import { Line } from "../../domain/Text.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import * as Sweep from "../../foundation/database/Sweep.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { Budgets } from "../limits/Budgets.ts"
import { ApiKey } from "./ApiKey.ts"

/** Keys with which scripts call the management API as the account that made them. */
export class ApiKeys extends Context.Service<ApiKeys, {
  /** The key is in this answer only: the database keeps its digest. */
  create(
    userId: UserId,
    name: string,
    by: string
  ): Effect.Effect<{ readonly info: ApiKey; readonly key: Credential.Credential }, BadRequest | Conflict>
  /** The keys that work, newest first. */
  list(userId: UserId): Effect.Effect<ReadonlyArray<ApiKey>>
  /** Revokes a key of this account at once. */
  revoke(userId: UserId, id: string): Effect.Effect<void, NotFound>
  revokeAll(userId: UserId, by: string): Effect.Effect<void>
  /** The account that the key belongs to. Records its use, at most once a minute. */
  verify(key: string): Effect.Effect<Option.Option<UserId>>
}>()("slotkey/core/accounts/ApiKeys") {
  static readonly layer: Layer.Layer<ApiKeys, never, AppConfig | AuditLog | DatabaseClock | SqlClient.SqlClient> = Layer
    .effect(
      ApiKeys,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const audit = yield* AuditLog
        const budgets = yield* Budgets

        const selectAll = SqlSchema.findAll({
          Request: UserId,
          Result: ApiKey,
          execute: (userId) =>
            sql`SELECT * FROM api_keys WHERE user_id = ${userId} AND revoked_at IS NULL ORDER BY created_at DESC, id`
        })
        const selectByDigest = SqlSchema.findOneOption({
          Request: Schema.Uint8Array,
          Result: Schema.Struct({
            id: ApiKeyId,
            userId: UserId,
            lastUsedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
          }),
          execute: (digest) =>
            sql`SELECT id, user_id, last_used_at FROM api_keys WHERE digest = ${digest} AND revoked_at IS NULL`
        })

        // Makes concurrent requests see each other's keys, so that the limit holds.
        const lock = (userId: UserId) => sql`SELECT pg_advisory_xact_lock(hashtext(${`api_keys ${userId}`}))`

        const list = Effect.fn("ApiKeys.list")((userId: UserId) => Effect.orDie(selectAll(userId)))

        const create = Effect.fn("ApiKeys.create")(function*(userId: UserId, input: string, by: string) {
          const name = yield* Schema.decodeEffect(Line(1, 100))(input).pipe(Effect.mapError(() => unusableName))
          const key = yield* Credential.make("apiKey")
          const text = Redacted.value(key)
          const id = yield* Effect.sync(() => ApiKeyId.make(randomUUID()))
          const createdAt = yield* DateTime.now
          const lastFour = Credential.lastFour(text)
          const row = { id, userId, name, digest: Credential.digest(text), lastFour }
          yield* Effect.gen(function*() {
            yield* lock(userId)
            if ((yield* list(userId)).length >= maxKeys) return yield* tooMany
            yield* budgets.spend("change", userId)
            yield* sql`INSERT INTO api_keys ${sql.insert({ ...row, createdAt: DateTime.toDateUtc(createdAt) })}`
            yield* audit.record({ actor: by, action: "api_key.created", userId, details: { name, lastFour } })
          }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
          return { info: new ApiKey({ id, name, lastFour, createdAt, lastUsedAt: null }), key }
        })

        const revoke = Effect.fn("ApiKeys.revoke")(
          function*(userId: UserId, id: string) {
            const now = DateTime.toDateUtc(yield* DateTime.now)
            const rows = yield* sql<{ lastFour: string }>`UPDATE api_keys SET revoked_at = ${now}
          WHERE id = ${id} AND user_id = ${userId} AND revoked_at IS NULL RETURNING last_four`
            const [revoked] = rows
            if (revoked === undefined) {
              return yield* new NotFound({ code: "api_key_not_found", message: "You have no such API key." })
            }
            const { lastFour } = revoked
            yield* audit.record({ actor: userId, action: "api_key.revoked", userId, details: { lastFour } })
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        )

        const revokeAll = Effect.fn("ApiKeys.revokeAll")(
          function*(userId: UserId, by: string) {
            yield* lock(userId)
            const now = DateTime.toDateUtc(yield* DateTime.now)
            const rows = yield* sql<{ lastFour: string }>`UPDATE api_keys SET revoked_at = ${now}
          WHERE user_id = ${userId} AND revoked_at IS NULL RETURNING last_four`
            yield* audit.recordAll(
              rows.map(({ lastFour }) => ({ actor: by, action: "api_key.revoked", userId, details: { lastFour } }))
            )
          },
          sql.withTransaction,
          Effect.orDie
        )

        const verify = Effect.fn("ApiKeys.verify")(function*(key: string) {
          if (Credential.parse("apiKey", key) === undefined) return Option.none<UserId>()
          const found = yield* selectByDigest(Credential.digest(key))
          if (Option.isNone(found)) return Option.none<UserId>()
          const { id, lastUsedAt, userId } = found.value
          const now = yield* DateTime.now
          if (
            lastUsedAt === null ||
            DateTime.isLessThanOrEqualTo(DateTime.addDuration(lastUsedAt, touchInterval), now)
          ) {
            yield* Outages.bestEffort("The use of an API key was not noted")(
              sql`UPDATE api_keys SET last_used_at = ${DateTime.toDateUtc(now)} WHERE id = ${id}`
            )
          }
          return Option.some(userId)
        }, Effect.orDie)

        return ApiKeys.of({ create, list, revoke, revokeAll, verify })
      })
    ).pipe(Layer.provide(Budgets.layer))
}

/** Revoked keys are kept for a while, to show what had access. */
export const sweeps = [
  Sweep.olderThan({
    table: "api_keys",
    column: "revoked_at",
    setting: "ownerHistoryLifetime",
    rows: "revoked API keys"
  })
]

const maxKeys = 50

// A key in constant use writes its row once in this time, not with every request.
const touchInterval = Duration.minutes(1)

const unusableName = new BadRequest({
  code: "invalid_input",
  message: "The name of an API key has 1 to 100 characters.",
  details: [{ path: "name", message: "must have 1 to 100 characters" }]
})

const tooMany = new Conflict({
  code: "too_many_api_keys",
  message: `An account has at most ${maxKeys} API keys. Revoke one that is not in use.`
})

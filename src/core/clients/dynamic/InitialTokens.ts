import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type BadRequest, NotFound } from "../../../domain/ApiError.ts"
import * as Credential from "../../../domain/Credential.ts"
import * as Input from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"
import { Line } from "../../../domain/Text.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { InitialToken } from "./InitialToken.ts"

/** What a new initial access token is called and how long it is good for. */
export const NewInitialToken = Schema.Struct({
  name: Line(1, 100),
  expiresAt: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtc)),
  mostUses: Schema.optionalKey(Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))))
})
export type NewInitialToken = typeof NewInitialToken.Type

/**
 * Initial access tokens (RFC 7591 §1.2), which administrators give to those whose apps may register by themselves
 * (`DYNAMIC_REGISTRATION`). The management API and the command line make and revoke them.
 */
export class InitialTokens extends Context.Service<InitialTokens, {
  /** The token is in this answer only: the database keeps its digest. `by` is the actor of the trail. */
  create(
    input: NewInitialToken,
    by: string
  ): Effect.Effect<{ readonly info: InitialToken; readonly token: Credential.Credential }, BadRequest>
  /** Those that are not revoked, the newest first; those that are used up or have ended stay for a while. */
  readonly list: Effect.Effect<ReadonlyArray<InitialToken>>
  revoke(id: string, by: string): Effect.Effect<void, NotFound>
  /** Takes a registration off the token with this text; none where it can't be used. Joins the transaction. */
  spend(token: Redacted.Redacted): Effect.Effect<Option.Option<InitialToken>>
  /** Says whether a token can be used, without a use of it. */
  find(token: Redacted.Redacted): Effect.Effect<Option.Option<InitialToken>>
}>()("slotkey/core/clients/dynamic/InitialTokens") {
  static readonly layer = Layer.effect(
    InitialTokens,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog

      const create = Effect.fn("InitialTokens.create")(
        function*(input: NewInitialToken, by: string) {
          const { expiresAt = null, mostUses = null, name } = yield* decodeNew(input)
          const createdAt = yield* clock.now
          if (expiresAt !== null && !DateTime.isGreaterThan(expiresAt, createdAt)) return yield* endInPast
          const token = yield* Credential.make("initialToken")
          const text = Redacted.value(token)
          const info = new InitialToken({
            id: yield* Effect.sync(() => randomUUID()),
            name,
            lastFour: Credential.lastFour(text),
            createdAt,
            expiresAt,
            mostUses,
            uses: 0
          })
          const row = { ...encode(info), digest: Credential.digest(text), createdBy: by }
          yield* sql`INSERT INTO initial_tokens ${sql.insert(row)}`
          yield* audit.record({ actor: by, action: "initial_token.created", details: told(info) })
          return { info, token }
        },
        inTransaction(sql)
      )

      const revoke = Effect.fn("InitialTokens.revoke")(
        function*(id: string, by: string) {
          // The database would refuse some texts with an error.
          if (!isUuid(id)) return yield* notFound
          const now = DateTime.toDateUtc(yield* clock.now)
          const found = yield* firstToken(sql`UPDATE initial_tokens SET revoked_at = ${now}
            WHERE id = ${id} AND revoked_at IS NULL RETURNING ${columns}`)
          if (Option.isNone(found)) return yield* notFound
          yield* audit.record({ actor: by, action: "initial_token.revoked", details: told(found.value) })
        },
        inTransaction(sql)
      )

      const usable = (text: string, now: DateTime.Utc) =>
        sql`digest = ${Credential.digest(text)} AND revoked_at IS NULL AND (most_uses IS NULL OR uses < most_uses)
          AND (expires_at IS NULL OR expires_at > ${DateTime.toDateUtc(now)})`

      const spend = Effect.fn("InitialTokens.spend")(function*(token: Redacted.Redacted) {
        const text = Redacted.value(token)
        if (Credential.parse("initialToken", text) === undefined) return Option.none()
        const where = usable(text, yield* clock.now)
        return yield* firstToken(sql`UPDATE initial_tokens SET uses = uses + 1 WHERE ${where} RETURNING ${columns}`)
      }, Effect.orDie)

      const find = Effect.fn("InitialTokens.find")(function*(token: Redacted.Redacted) {
        const text = Redacted.value(token)
        if (Credential.parse("initialToken", text) === undefined) return Option.none()
        const where = usable(text, yield* clock.now)
        return yield* firstToken(sql`SELECT ${columns} FROM initial_tokens WHERE ${where}`)
      }, Effect.orDie)

      return InitialTokens.of({
        create,
        revoke,
        spend,
        find,
        list: Effect.orDie(
          allTokens(sql`SELECT ${columns} FROM initial_tokens WHERE revoked_at IS NULL ORDER BY created_at DESC, id`)
        ).pipe(Effect.withSpan("InitialTokens.list"))
      })
    })
  )
}

export const sweeps = [
  Sweep.where(
    {
      table: "initial_tokens",
      retention: "ownerHistoryLifetime",
      rows: "initial access tokens that were revoked or have ended so long ago"
    },
    (sql, ago, { ownerHistoryLifetime }) => sql`least(revoked_at, expires_at) <= ${ago(ownerHistoryLifetime)}`
  )
]

const columns = Column.names(InitialToken.fields)
const firstToken = Rows.first(InitialToken)
const allTokens = Rows.all(InitialToken)
const encode = Schema.encodeSync(InitialToken)
const decodeNew = Input.decode(Schema.toType(NewInitialToken))
const isUuid = Schema.is(Schema.String.check(Schema.isUUID()))

const told = ({ id, lastFour, name }: InitialToken) => ({ id, name, lastFour })

const endInPast = Input.invalid([{ path: "expiresAt", ...broken("endPassed") }])
const notFound = new NotFound({ code: "initial_token_not_found", message: "There is no such initial access token." })

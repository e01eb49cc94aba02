import { Context, Duration, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { UserId } from "../../../domain/Ids.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { reviewedFields } from "../records/ReviewedFields.ts"

/**
 * A registration as far as it was entered, before any rule. What an older or a newer release kept may have fewer fields
 * or more.
 */
const DraftFields = Schema.Struct({
  kind: Schema.String,
  purpose: Schema.String,
  ...Struct.omit(reviewedFields, ["logoDigest"])
}).mapFields(Struct.map(Schema.optionalKey))
export type DraftFields = typeof DraftFields.Type

const Draft = Schema.Struct({ id: Schema.String, fields: DraftFields, updatedAt: Schema.DateTimeUtcFromDate })
export type Draft = typeof Draft.Type

/**
 * Registrations that developers have begun, for the pages of the registration alone. Nobody reviews a draft, and it is
 * no app; it goes when the app is registered.
 */
export class RegistrationDrafts extends Context.Service<RegistrationDrafts, {
  /** Those of an owner, the latest changed first. */
  list(owner: UserId): Effect.Effect<ReadonlyArray<Draft>>
  find(owner: UserId, id: string): Effect.Effect<Option.Option<Draft>>
  /** Keeps these fields beside those that the draft has. Of more than twenty drafts, the longest untouched go. */
  save(owner: UserId, id: string, fields: DraftFields): Effect.Effect<void>
  /** Joins the caller's transaction. */
  discard(owner: UserId, id: string): Effect.Effect<void>
}>()("slotkey/core/clients/life/RegistrationDrafts") {
  static readonly layer = Layer.effect(
    RegistrationDrafts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ofOwner = (owner: UserId) => sql`FROM registration_drafts WHERE owner_id = ${owner}`

      const list = Effect.fn("RegistrationDrafts.list")(
        (owner: UserId) => allDrafts(sql`SELECT ${columns} ${ofOwner(owner)} ORDER BY updated_at DESC, id`),
        Effect.orDie
      )

      const find = Effect.fn("RegistrationDrafts.find")(
        (owner: UserId, id: string) =>
          isDraftId(id)
            ? firstDraft(sql`SELECT ${columns} ${ofOwner(owner)} AND id = ${id}`)
            : Effect.succeedNone,
        Effect.orDie
      )

      const save = Effect.fn("RegistrationDrafts.save")(
        function*(owner: UserId, id: string, fields: DraftFields) {
          if (!isDraftId(id)) return
          const now = yield* DatabaseClock.statementNow
          yield* sql`INSERT INTO registration_drafts (owner_id, id, fields, updated_at)
            VALUES (${owner}, ${id}, ${textOf(fields)}::text::jsonb, ${now})
            ON CONFLICT (owner_id, id) DO UPDATE SET updated_at = excluded.updated_at,
              fields = registration_drafts.fields || excluded.fields`
          yield* sql`DELETE ${ofOwner(owner)} AND id IN (SELECT id ${ofOwner(owner)}
            ORDER BY id = ${id} DESC, updated_at DESC OFFSET ${mostDrafts})`
        },
        inTransaction(sql),
        Effect.orDie
      )

      const discard = Effect.fn("RegistrationDrafts.discard")(function*(owner: UserId, id: string) {
        if (isDraftId(id)) yield* sql`DELETE ${ofOwner(owner)} AND id = ${id}`
      }, Effect.orDie)

      return RegistrationDrafts.of({ list, find, save, discard })
    })
  )
}

export const sweeps = [
  Sweep.where({
    table: "registration_drafts",
    retention: Duration.days(60),
    rows: "registrations of apps that were begun and not touched since; of each developer the last 20 are kept"
  }, (sql, ago) => sql`updated_at <= ${ago(Duration.days(60))}`)
]

/** Makes what forgets a deleted account. */
export const forgetDrafts = Effect.map(
  SqlClient.SqlClient,
  (sql) => (userId: UserId) => sql`DELETE FROM registration_drafts WHERE owner_id = ${userId}`
)

export const isDraftId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)

const mostDrafts = 20

const columns = Column.names(Draft.fields)
const allDrafts = Rows.all(Draft)
const firstDraft = Rows.first(Draft)

/** No field is valid beyond this length: what is longer stays wrong, and takes no more room. */
const mostCharacters = 2_100
const mostItems = 500

const textOf = (fields: DraftFields): string =>
  JSON.stringify(
    fields,
    (_, value: unknown) =>
      typeof value === "string"
        // Half of a character is no text for the database.
        ? value.slice(0, mostCharacters).toWellFormed()
        : Array.isArray(value)
        ? value.slice(0, mostItems)
        : value
  )

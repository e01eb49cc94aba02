import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { UserId } from "../../../domain/Ids.ts"
import type { Parameters } from "../../../domain/Parameters.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as Sweep from "../../../foundation/database/Sweep.ts"
import { Budgets } from "../../limits/Budgets.ts"

/** A page that a browser comes back to after a sign-in, and the form on it that was filled in. */
export interface Continuation {
  /** Path of the page on this server, with its query. */
  readonly location: string
  /** Absent where only the page waits, which any user may see. */
  readonly form?: KeptForm
}

/** A form that was sent when its session had ended. Only its own user gets to see it again. */
export interface KeptForm {
  readonly userId: UserId
  /** Path that the form is sent to. */
  readonly action: string
  readonly fields: Parameters
}

/**
 * Pages and forms that wait for a sign-in, each under a random id for an hour, so that no address has to carry them.
 */
export class Continuations extends Context.Service<Continuations, {
  /**
   * Keeps a continuation and returns its id. A bare page counts against the address's budget, since anyone can ask for
   * one; of a user's forms only the last `maxForms` stay.
   */
  keep(continuation: Continuation): Effect.Effect<string>
  find(id: string): Effect.Effect<Option.Option<Continuation>>
  /** Forgets a form that its user has sent after all. */
  remove(id: string, userId: UserId): Effect.Effect<void>
}>()("slotkey/core/accounts/people/Continuations") {
  static readonly layer = Layer.effect(
    Continuations,
    Effect.gen(function*() {
      const clock = yield* DatabaseClock
      const sql = yield* SqlClient.SqlClient
      const budgets = yield* Budgets

      const deleteOldest = (userId: UserId, newest: string) =>
        sql`DELETE FROM continuations WHERE id IN (
            SELECT id FROM continuations WHERE user_id = ${userId} ORDER BY id = ${newest} DESC, expires_at DESC OFFSET ${maxForms})`

      const keep = Effect.fn("Continuations.keep")(
        function*({ form, location }: Continuation) {
          const id = yield* Effect.sync(() => randomBytes(16).toString("base64url"))
          const expiresAt = DateTime.toDateUtc(DateTime.addDuration(yield* clock.now, lifetime))
          if (form === undefined) yield* budgets.spend("continuation")
          const { action = null, fields = null, userId = null } = form ?? {}
          yield* sql`INSERT INTO continuations (id, location, user_id, action, fields, expires_at)
            VALUES (${id}, ${location}, ${userId}, ${action},
              ${fields && JSON.stringify(Object.fromEntries(fields))}::text::jsonb, ${expiresAt})`
          if (form !== undefined) yield* deleteOldest(form.userId, id)
          return id
        },
        sql.withTransaction,
        Effect.orDie
      )

      const find = Effect.fn("Continuations.find")(function*(id: string) {
        if (!isId.test(id)) return Option.none<Continuation>()
        const now = DateTime.toDateUtc(yield* clock.now)
        const found = yield* firstRow(
          sql`SELECT ${Column.names(Row.fields)} FROM continuations WHERE id = ${id} AND expires_at > ${now}`
        )
        return Option.map(found, fromRow)
      }, Effect.orDie)

      const remove = Effect.fn("Continuations.remove")(function*(id: string, userId: UserId) {
        if (isId.test(id)) yield* sql`DELETE FROM continuations WHERE id = ${id} AND user_id = ${userId}`
      }, Effect.orDie)

      return Continuations.of({ keep, find, remove })
    })
  )
}

const lifetime = Duration.hours(1)

export const sweeps = [
  Sweep.expired({
    table: "continuations",
    column: "expires_at",
    retention: lifetime,
    rows: "pages and forms that wait for a sign-in"
  })
]

// Sixteen random bytes in base64url.
const isId = /^[\w-]{22}$/

/** Forms of one user that wait. Of more, the oldest go. */
export const maxForms = 20

const Row = Schema.Struct({
  location: Schema.String,
  userId: Schema.NullOr(UserId),
  action: Schema.NullOr(Schema.String),
  fields: Schema.NullOr(Schema.Record(Schema.String, Schema.String))
})

const firstRow = Rows.first(Row)

const fromRow = ({ action, fields, location, userId }: typeof Row.Type): Continuation =>
  userId === null || action === null || fields === null
    ? { location }
    : { location, form: { userId, action, fields: new Map(Object.entries(fields)) } }

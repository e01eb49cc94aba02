import { Array, Context, DateTime, Duration, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { JWK } from "jose"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"

/** Use of a key: the signature of access tokens, the MAC in them, or the MAC of refresh tokens. */
export const Purpose = Schema.Literals(["access-token", "access-token-mac", "refresh-token"])
export type Purpose = typeof Purpose.Type

/** A key as the database holds it: sealed under the master key. */
export interface ServerKey {
  readonly id: string
  readonly purpose: Purpose
  readonly algorithm: string
  readonly publicJwk: JWK | null
  readonly encryptedKey: string
  readonly createdAt: DateTime.Utc
  /** Time from which it signs; it is published before. */
  readonly activeFrom: DateTime.Utc
  /** Time from which it only verifies, because its successor signs. */
  readonly retiredAt: DateTime.Utc | null
}

type NewServerKey = Omit<ServerKey, "createdAt" | "retiredAt">

/** Table `server_keys`. Key rings read and add keys, `KeyRotation` reseals them. */
export class ServerKeys extends Context.Service<ServerKeys, {
  /** All keys for the purpose, the newest first. */
  list(purpose: Purpose): Effect.Effect<ReadonlyArray<ServerKey>>
  /** Keys for the purpose, without those that retired at least `age` ago. */
  listLive(purpose: Purpose, age: Duration.Duration): Effect.Effect<ReadonlyArray<ServerKey>>
  /**
   * Adds the key that `decide` makes from the present ones, which retire when it becomes active; with `None` nothing
   * changes. One node decides at a time, by the time of the database: its own clock may just have been set.
   */
  addSuccessor<E, R>(
    purpose: Purpose,
    decide: (keys: ReadonlyArray<ServerKey>, now: DateTime.Utc) => Effect.Effect<Option.Option<NewServerKey>, E, R>
  ): Effect.Effect<Option.Option<NewServerKey>, E, R>
  /** Replaces all keys for the purpose at once by the one that `make` makes; no key is resealed meanwhile. */
  replace<E, R>(
    purpose: Purpose,
    make: (now: DateTime.Utc) => Effect.Effect<NewServerKey, E, R>
  ): Effect.Effect<NewServerKey, E, R>
  /** Reseals every key, all or none; answers their number. */
  reseal<E, R>(seal: (encryptedKey: string) => Effect.Effect<string, E, R>): Effect.Effect<number, E, R>
  /** Deletes the keys for the purpose that retired as long ago as `age`; answers their number. */
  purge(purpose: Purpose, age: Duration.Duration): Effect.Effect<number>
}>()("slotkey/core/keys/ServerKeys") {
  static readonly layer: Layer.Layer<ServerKeys, never, SqlClient.SqlClient> = Layer.effect(
    ServerKeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      /** True of a key that retired as long ago as `age` by the clock of the database. */
      const isOver = (age: Duration.Duration) =>
        Effect.map(
          DatabaseClock.statementNow,
          (now) => sql`(retired_at <= ${now} - ${Duration.toMillis(age)}::float8 * interval '1 ms')`
        )

      const columns = sql`id, purpose, algorithm, public_jwk, encrypted_key, created_at, active_from, retired_at`

      const list = Effect.fn("ServerKeys.list")(function*(purpose: Purpose) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM server_keys WHERE purpose = ${purpose} ORDER BY active_from DESC, id`
        return rows.map(fromRow)
      }, Effect.orDie)

      const listLive = Effect.fn("ServerKeys.listLive")(function*(purpose: Purpose, age: Duration.Duration) {
        const rows = yield* sql<Row>`SELECT ${columns} FROM server_keys
          WHERE purpose = ${purpose} AND ${yield* isOver(age)} IS NOT TRUE ORDER BY active_from DESC, id`
        return rows.map(fromRow)
      }, Effect.orDie)

      /** Keys for the purpose, the newest first, and the time of the database. */
      const listNow = Effect.fnUntraced(function*(purpose: Purpose) {
        const rows = yield* sql<{ readonly now: Date } & (Row | { readonly id: null })>`
          SELECT clock.now, ${columns} FROM (SELECT ${yield* DatabaseClock.statementNow} AS now) AS clock
          LEFT JOIN server_keys ON purpose = ${purpose} ORDER BY active_from DESC, id`
        const { now } = Option.getOrThrow(Array.head(rows))
        return {
          keys: rows.flatMap((row) => row.id === null ? [] : [fromRow(Struct.omit(row, ["now"]))]),
          now: DateTime.fromDateUnsafe(now)
        }
      }, Effect.orDie)

      /** Makes other writers wait until the transaction ends; readers go on. */
      const exclusively = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        sql`LOCK TABLE server_keys IN SHARE ROW EXCLUSIVE MODE`.pipe(
          Effect.orDie,
          Effect.andThen(effect),
          inTransaction(sql)
        )

      const retire = (purpose: Purpose, activeFrom: DateTime.Utc) => {
        const retiredAt = DateTime.toDateUtc(activeFrom)
        return Effect.orDie(sql`UPDATE server_keys SET retired_at = ${retiredAt}
          WHERE purpose = ${purpose} AND (retired_at IS NULL OR retired_at > ${retiredAt})`)
      }

      const insert = Effect.fnUntraced(function*(key: NewServerKey) {
        yield* sql`INSERT INTO server_keys
          (id, purpose, algorithm, public_jwk, encrypted_key, created_at, active_from) VALUES (${key.id},
          ${key.purpose}, ${key.algorithm}, ${key.publicJwk && JSON.stringify(key.publicJwk)}::text::jsonb,
          ${key.encryptedKey}, ${yield* DatabaseClock.statementNow}, ${DateTime.toDateUtc(key.activeFrom)})`
      }, Effect.orDie)

      return ServerKeys.of({
        list,
        listLive,
        addSuccessor: (purpose, decide) =>
          Effect.gen(function*() {
            const { keys, now } = yield* listNow(purpose)
            const successor = yield* decide(keys, now)
            if (Option.isNone(successor)) return successor
            if (keys.length > 0) yield* retire(purpose, successor.value.activeFrom)
            yield* insert(successor.value)
            return successor
          }).pipe(exclusively, Effect.withSpan("ServerKeys.addSuccessor")),
        replace: Effect.fn("ServerKeys.replace")((purpose, make) =>
          Effect.orDie(sql`DELETE FROM server_keys WHERE purpose = ${purpose}`).pipe(
            Effect.andThen(listNow(purpose)),
            Effect.flatMap(({ now }) => make(now)),
            Effect.tap(insert),
            exclusively
          )
        ),
        reseal: Effect.fn("ServerKeys.reseal")((seal) =>
          exclusively(Effect.gen(function*() {
            const rows = yield* Effect.orDie(sql<Row>`SELECT ${columns} FROM server_keys ORDER BY id`)
            for (const { encryptedKey, id } of rows) {
              const sealed = yield* seal(encryptedKey)
              yield* Effect.orDie(sql`UPDATE server_keys SET encrypted_key = ${sealed} WHERE id = ${id}`)
            }
            return rows.length
          }))
        ),
        purge: Effect.fn("ServerKeys.purge")(function*(purpose, age) {
          const rows = yield* sql`DELETE FROM server_keys WHERE purpose = ${purpose}
            AND ${yield* isOver(age)} RETURNING id`
          return rows.length
        }, Effect.orDie)
      })
    })
  )
}

interface Row extends Omit<ServerKey, "createdAt" | "activeFrom" | "retiredAt"> {
  readonly createdAt: Date
  readonly activeFrom: Date
  readonly retiredAt: Date | null
}

const fromRow = (row: Row): ServerKey => ({
  ...row,
  createdAt: DateTime.fromDateUnsafe(row.createdAt),
  activeFrom: DateTime.fromDateUnsafe(row.activeFrom),
  retiredAt: row.retiredAt && DateTime.fromDateUnsafe(row.retiredAt)
})

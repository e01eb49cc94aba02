import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict } from "../../domain/ApiError.ts"
import type { CatalogueFile } from "../../domain/catalogue/file/CatalogueFile.ts"
import { hashOf } from "../../domain/catalogue/file/CatalogueHash.ts"
import { write } from "../../domain/catalogue/file/WriteCatalogue.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import * as Rows from "../../foundation/database/Rows.ts"
import * as TransactionLock from "../../foundation/database/TransactionLock.ts"
import { AuditLog, type NewEntry } from "../audit/AuditLog.ts"

// This room keeps the nodes of one database to one catalogue: which one is in force and which is announced
// (`Catalogues`), what a change would mean (`Difference`, `Plan`), and what a node does about it (`Agreement`). The
// command line changes catalogues; servers and workers read what became of it.

/**
 * Catalogues in the database: one is in force, and one may be announced, which comes into force when that is finished.
 * Those that were in force stay.
 */
export class Catalogues extends Context.Service<Catalogues, {
  /** Those that count now. */
  readonly current: Effect.Effect<Current>
  /** Text of one of them, as `catalogue show` prints it. */
  document(id: string): Effect.Effect<Option.Option<string>>
  /** Texts of all that have ever been in force, the oldest first. */
  readonly history: Effect.Effect<ReadonlyArray<Past>>
  /** Puts the first one of a database into force; of several servers that start at once, one does. */
  adopt(proposed: Proposed): Effect.Effect<void>
  /** Announces a catalogue that was compared to the one of this id; fails if that is not in force any more. */
  announce(proposed: Proposed, comparedTo: string, by: By): Effect.Effect<Stored, Conflict>
  /** Puts the announced one into force in place of the other, once all nodes may have read it. */
  finish(by: By): Effect.Effect<Stored, Conflict>
  /** Takes the announcement back. */
  withdraw(by: By): Effect.Effect<Stored, Conflict>
}>()("slotkey/core/catalogue/Catalogues") {
  static readonly layer: Layer.Layer<Catalogues, never, AuditLog | SqlClient.SqlClient> = Layer.effect(
    Catalogues,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog

      const live = allStored(sql`SELECT id::text, hash, is_built_in, announced_at, announced_by, in_force_from
        FROM catalogues WHERE ended_at IS NULL`)
      const current = Effect.orDie(Effect.map(live, currentOf))

      const document = Effect.fn("Catalogues.document")(function*(id: string) {
        const [row] = yield* sql<{ document: string }>`SELECT document FROM catalogues WHERE id = ${id}::text::bigint`
        return Option.map(Option.fromUndefinedOr(row), ({ document }) => document)
      }, Effect.orDie)

      const history = Effect.orDie(
        sql<Past>`SELECT hash, document FROM catalogues WHERE in_force_from IS NOT NULL ORDER BY id`
      ).pipe(Effect.withSpan("Catalogues.history"))

      const insert = Effect.fnUntraced(function*({ file, isBuiltIn }: Proposed, actor: string, isInForce: boolean) {
        const now = yield* DatabaseClock.statementNow
        const rows = allStored(sql`INSERT INTO catalogues
            (hash, document, is_built_in, announced_at, announced_by, in_force_from)
          SELECT ${hashOf(file)}, ${write(file)}, ${isBuiltIn}, now, ${actor}, CASE WHEN ${isInForce} THEN now END
          FROM (SELECT ${now} AS now) AS at
          ON CONFLICT DO NOTHING
          RETURNING id::text, hash, is_built_in, announced_at, announced_by, in_force_from`)
        return (yield* rows)[0]
      })

      const record = (action: string, { hash, id }: Stored, { actor, details }: By) =>
        audit.record({ actor, action, details: { id, hash, ...details } })

      const adopt = Effect.fn("Catalogues.adopt")(
        function*(proposed: Proposed) {
          // Another server may do the same at this moment: then its insertion is waited for, and ours does nothing.
          const adopted = yield* insert(proposed, server.actor, true)
          if (adopted !== undefined) yield* record("catalogue.adopted", adopted, server)
        },
        inTransaction(sql)
      )

      const announce = Effect.fn("Catalogues.announce")(
        function*(proposed: Proposed, comparedTo: string, by: By) {
          const { announced, inForce } = yield* locked
          if (announced !== undefined) return yield* alreadyAnnounced(announced)
          if (inForce?.id !== comparedTo) return yield* changedMeanwhile
          const added = yield* insert(proposed, by.actor, false)
          if (added === undefined) return yield* changedMeanwhile
          yield* record("catalogue.announced", added, by)
          return added
        },
        inTransaction(sql)
      )

      const finish = Effect.fn("Catalogues.finish")(
        function*(by: By) {
          const { announced, inForce } = yield* locked
          if (announced === undefined) return yield* nothingAnnounced
          const now = yield* DatabaseClock.statementNow
          const [young] = by.atOnce === true ? [] : yield* sql`SELECT 1 FROM catalogues
            WHERE id = ${announced.id}::text::bigint
              AND announced_at > ${now} - make_interval(secs => ${Duration.toSeconds(readByAll)})`
          if (young !== undefined) return yield* tooEarly
          yield* sql`UPDATE catalogues SET ended_at = ${now} WHERE id = ${inForce?.id ?? "0"}::text::bigint`
          yield* sql`UPDATE catalogues SET in_force_from = ${now} WHERE id = ${announced.id}::text::bigint`
          yield* record("catalogue.finished", announced, by)
          return announced
        },
        inTransaction(sql)
      )

      const withdraw = Effect.fn("Catalogues.withdraw")(
        function*(by: By) {
          const { announced } = yield* locked
          if (announced === undefined) return yield* nothingAnnounced
          const now = yield* DatabaseClock.statementNow
          yield* sql`UPDATE catalogues SET ended_at = ${now} WHERE id = ${announced.id}::text::bigint`
          yield* record("catalogue.withdrawn", announced, by)
          return announced
        },
        inTransaction(sql)
      )

      const locked = Effect.andThen(TransactionLock.take(sql, "catalogues"), current)

      return Catalogues.of({ current, document, history, adopt, announce, finish, withdraw })
    })
  )
}

/** A catalogue in the database. */
export const Stored = Schema.Struct({
  id: Schema.String,
  /** Hash that the node had for it that announced it. */
  hash: Schema.String,
  /** It came with a release, and is no file of an operator. */
  isBuiltIn: Schema.Boolean,
  announcedAt: Schema.DateTimeUtcFromDate,
  announcedBy: Schema.String,
  /** `null` of one that is announced. */
  inForceFrom: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Stored = typeof Stored.Type

export interface Current {
  /** Absent before the first server of a database has started. */
  readonly inForce: Stored | undefined
  readonly announced: Stored | undefined
}

interface Past {
  readonly hash: string
  readonly document: string
}

export interface Proposed {
  readonly file: CatalogueFile
  readonly isBuiltIn: boolean
}

/** Who changes the catalogue, and what the trail says of it besides. */
export interface By {
  readonly actor: string
  readonly details?: NewEntry["details"]
  /** No other node has to read an announcement first. */
  readonly atOnce?: boolean
}

/** A server that does it by itself. */
export const server: By = { actor: "slotkey" }

/** Interval at which a node reads which catalogues count. */
export const ReadInterval = Duration.seconds(10)

/** Time after which every node has read what counts, unless the database was away from it. */
export const readByAll = Duration.times(ReadInterval, 2)

const allStored = Rows.all(Stored)

const currentOf = (rows: ReadonlyArray<Stored>): Current => ({
  inForce: rows.find(({ inForceFrom }) => inForceFrom !== null),
  announced: rows.find(({ inForceFrom }) => inForceFrom === null)
})

const alreadyAnnounced = ({ announcedAt, announcedBy, hash }: Stored) =>
  new Conflict({
    code: "catalogue_announced",
    message: `The catalogue ${hash} is announced already, by ${announcedBy} at ${DateTime.formatIso(announcedAt)}: ` +
      "finish or withdraw that first."
  })

const changedMeanwhile = new Conflict({
  code: "catalogue_changed",
  message: "Another catalogue came into force meanwhile. Compare again: slotkey catalogue plan."
})

const nothingAnnounced = new Conflict({ code: "nothing_announced", message: "No catalogue is announced." })

const tooEarly = new Conflict({
  code: "too_early",
  message: `It was announced less than ${Duration.toSeconds(readByAll)} seconds ago, and some node may not have read ` +
    "that. Try again when that time is over."
})

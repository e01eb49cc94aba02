import { Array, Clock, DateTime, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { GrantId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Column from "../../foundation/database/Column.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as WaitingCommits from "../../foundation/database/hosts/WaitingCommits.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { retryRolledBack } from "../../foundation/database/RetryRolledBack.ts"
import { SecretCheck } from "../clients/secrets/SecretCheck.ts"
import type { GraceWindow } from "./GraceWindows.ts"
import { fromRow, type GrantRow, superseded } from "./Grant.ts"
import * as GrantColumns from "./GrantColumns.ts"
import type { ReadAhead } from "./ReadAhead.ts"
import {
  explainRefusal,
  type FoundGrant,
  isUseToNote,
  isWithinGrace,
  type RotatedGrant,
  type Rotation,
  type RotationOutcome
} from "./RefreshRotation.ts"
import * as RepeatStatement from "./RepeatStatement.ts"
import * as RotateStatement from "./RotateStatement.ts"

/** Replaces the refresh tokens of a batch, or explains why not (`RefreshRotation`). `GrantStore` offers it. */
export const make = Effect.fnUntraced(function*(readAhead: ReadAhead) {
  const clock = yield* DatabaseClock
  const sql = yield* SqlClient.SqlClient
  const plain = sql.withoutTransforms()
  const secrets = yield* SecretCheck
  const config = yield* AppConfig
  const lastWait = yield* WaitingCommits.LastWait
  const intervals = {
    grantIdleLifetime: Column.interval(config.grantIdleLifetime),
    refreshGrace: Column.interval(config.refreshGrace)
  }
  const rotateStatement = RotateStatement.make(plain, intervals, readAhead)
  const repeatStatement = RepeatStatement.make(plain, intervals.grantIdleLifetime)

  const rotate = Effect.fnUntraced(function*(batch: ReadonlyArray<Rotation>) {
    const now = yield* DatabaseClock.statementNow
    const rows = yield* clock.observe(retryRolledBack(rotateStatement(batch, now)), ({ rotatedAt }) => rotatedAt)
    yield* secrets.recordUse(rows.map(({ unrecordedSecret }) => unrecordedSecret))
    const rotated = new Map(rows.map((row): [number, RotationOutcome] => [row.index, rotatedNow(row)]))
    const others = batch.flatMap(({ grantId }, index) => rotated.has(index) ? [] : [grantId])
    const found = others.length === 0 ? new Map<GrantId, FoundGrant>() : yield* find(others, now)
    const outcomes = batch.map((rotation, index) =>
      rotated.get(index) ?? explainRefusal(rotation, found.get(rotation.grantId), config)
    )
    const repeated = Array.zip(batch, outcomes).flatMap(([rotation, { _tag }]) => _tag === "Repeated" ? [rotation] : [])
    if (repeated.length === 0) return outcomes
    const foundOf = ({ grantId }: Rotation) => found.get(grantId)
    yield* noteUse(repeated.filter((rotation) => isUseToNote(foundOf(rotation))))
    const newest = yield* keepNewest(repeated.filter((rotation) => isWithinGrace(foundOf(rotation), config)), now)
    return Array.zipWith(
      batch,
      outcomes,
      ({ grantId }, outcome) =>
        outcome._tag === "Repeated" ? { ...outcome, grant: newest.get(grantId) ?? outcome.grant } : outcome
    )
  })

  // The time is read with the row, after any wait for the rotation that replaced the token.
  const find = Effect.fnUntraced(function*(ids: ReadonlyArray<GrantId>, now: Statement.Fragment) {
    const soughtAt = yield* Clock.monotonicTimeNanos
    const rows = yield* retryRolledBack(
      sql<FoundRow>`
        SELECT ${GrantColumns.of("g")}, g.window_generation, g.window_began_at, g.earlier_generation,
          g.earlier_began_at, g.repeated_generation, ${now} AS read_at, g.used_generation < g.generation
          AND a.kind = 'confidential' AND a.refresh_grace = 'until-used' AS awaits_first_use,
          a.kind = 'confidential' AND g.imported_rotates IS FALSE AS keeps_imported,
          g.revocation_reason IS NOT DISTINCT FROM ${superseded} AS is_superseded
        FROM grants g JOIN clients a ON a.id = g.client_id WHERE g.id = ANY(${ids}::uuid[])`
    )
    return new Map(rows.map((row): [GrantId, FoundGrant] => [
      row.id,
      fromFoundRow(row, soughtAt, WaitingCommits.waitedFor(lastWait, row.rotatedAt.getTime()))
    ]))
  })

  /**
   * Keeps what the repeats hand out the newest until the grace is over. So of an app that refreshes several times at
   * once no answer is older than one that was given before it, whichever the app stores last.
   */
  const keepNewest = Effect.fnUntraced(function*(repeats: ReadonlyArray<Rotation>, now: Statement.Fragment) {
    const newest = new Map<GrantId, RotatedGrant>()
    if (repeats.length === 0) return newest
    yield* repeatStatement(repeats, now).pipe(
      Effect.map((rows) => rows.forEach((row) => newest.set(row.id, rotatedGrant(row)))),
      Outages.bestEffort("Repeated refresh tokens may be replaced at once")
    )
    return newest
  })

  // Rows are locked in key order, as in `RotateStatement`.
  const noteUse = (imported: ReadonlyArray<Rotation>) =>
    imported.length === 0 ? Effect.void : Outages.bestEffort("The use of an imported refresh token was not noted")(
      Effect.flatMap(DatabaseClock.statementNow, (now) =>
        sql`UPDATE grants SET rotated_at = ${now} WHERE id IN (
          SELECT id FROM grants WHERE id = ANY(${imported.map(({ grantId }) => grantId)}::uuid[]) AND generation = 1
          ORDER BY id FOR UPDATE)`)
    )

  return rotate
})

const rotatedGrant = (
  { endsAt, expiresAt, generation, resource, rotatedAt, scopes, userId }:
    | RotateStatement.RotatedRow
    | RepeatStatement.RepeatedRow
): RotatedGrant => ({
  userId,
  scopes,
  resource,
  generation,
  rotatedAt: DateTime.fromDateUnsafe(rotatedAt),
  expiresAt: DateTime.fromDateUnsafe(expiresAt),
  endsAt: DateTime.fromDateUnsafe(endsAt)
})

const rotatedNow = (row: RotateStatement.RotatedRow): RotationOutcome => {
  const grant = rotatedGrant(row)
  return { _tag: "Rotated", grant, issuedAt: grant.rotatedAt }
}

interface FoundRow extends GrantRow, Pick<FoundGrant, "awaitsFirstUse" | "keepsImported" | "isSuperseded"> {
  readonly readAt: Date
  readonly windowGeneration: number | null
  readonly windowBeganAt: Date | null
  readonly earlierGeneration: number | null
  readonly earlierBeganAt: Date | null
  readonly repeatedGeneration: number | null
}

const fromFoundRow = (row: FoundRow, soughtAt: bigint, waited: number): FoundGrant => ({
  grant: fromRow(row),
  readAt: DateTime.fromDateUnsafe(row.readAt),
  soughtAt,
  waited,
  windows: {
    current: graceWindow(row.windowGeneration, row.windowBeganAt),
    earlier: graceWindow(row.earlierGeneration, row.earlierBeganAt)
  },
  isRepeated: row.repeatedGeneration === row.generation,
  awaitsFirstUse: row.awaitsFirstUse,
  keepsImported: row.keepsImported,
  isSuperseded: row.isSuperseded
})

const graceWindow = (generation: number | null, beganAt: Date | null): GraceWindow | null =>
  generation === null || beganAt === null ? null : { generation, beganAt: DateTime.fromDateUnsafe(beganAt) }

// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { AppEvents } from "../../src/core/clients/events/AppEvents.ts"
import { ClientsRepo } from "../../src/core/clients/records/ClientsRepo.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { Queues } from "../../src/foundation/jobs/queue/Queues.ts"
import * as Expiry from "../../workers/Expiry.ts"
import * as EmbeddedPool from "../support/EmbeddedPool.ts"
import { eventually } from "../support/Eventually.ts"
import * as TestJobs from "../support/TestJobs.ts"
import { layerWrong } from "../support/WrongClock.ts"

const expiry = Layer.provide(Expiry.layer, [AuditLog.layer, ClientsRepo.layer])

const embedded = Layer.unwrap(
  Effect.map(EmbeddedPool.folder, (folder) => Layer.provideMerge(AppEvents.layer, TestJobs.layer({ DATA_DIR: folder })))
)

/** Adds 1500 sessions that end at this distance from now. */
const addSessions = Effect.fnUntraced(function*(distance: Partial<DateTime.DateTime.PartsForMath>) {
  const sql = yield* SqlClient.SqlClient
  const end = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, distance))
  yield* sql`INSERT INTO sessions (digest, user_id, created_at, last_seen_at, expires_at)
    SELECT sha256(n::text::bytea), 'u', ${end}::timestamptz, ${end}::timestamptz, ${end}::timestamptz
    FROM generate_series(1, 1500) n`
})

layer(embedded, { excludeTestServices: true })("Expiry in embedded mode", (it) => {
  it.effect("gives the room of deleted rows back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* addSessions({ minutes: -1 })
      const size = Effect.map(
        sql<{ size: number }>`SELECT pg_relation_size('sessions')::int AS size`,
        ([row]) => row?.size
      )
      assert.isAbove((yield* size) ?? 0, 0)
      yield* Layer.build(expiry)
      yield* eventually(Effect.map(size, (size) => size === 0))
    }).pipe(Effect.scoped))
})

layer(embedded, { excludeTestServices: true })("Expiry in embedded mode", (it) => {
  it.effect("pauses as long as its batches take, whatever the machine's clock says meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* addSessions({ minutes: -1 })
      let leaps = 0
      yield* Layer.build(Layer.provide(expiry, layerWrong(() => Duration.hours(leaps++))))
      yield* eventually(Effect.map(sql`SELECT 1 FROM sessions LIMIT 1`, (rows) => rows.length === 0))
    }).pipe(Effect.scoped))
})

layer(embedded, { excludeTestServices: true })("Expiry in embedded mode", (it) => {
  it.effect("leaves the tables alone when nothing is past its time", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* addSessions({ hours: 1 })
      // Room that only a VACUUM would give back.
      yield* sql`DELETE FROM sessions`
      yield* Layer.build(expiry)
      const queue = yield* (yield* Queues).queue("expiry")
      yield* eventually(Effect.map(Effect.promise(() => queue.getCompletedCount()), (count) => count > 0))
      const [row] = yield* sql<{ size: number }>`SELECT pg_relation_size('sessions')::int AS size`
      assert.isAbove(row?.size ?? 0, 0)
    }).pipe(Effect.scoped))
})

layer(embedded, { excludeTestServices: true })("Expiry in embedded mode", (it) => {
  it.effect("deletes the files of mails that are older than the jobs are kept, and no other file", () =>
    Effect.gen(function*() {
      const { dataDir, jobLifetime } = yield* AppConfig
      const folder = join(dataDir, "mail")
      const now = yield* DateTime.now
      const [old, young] = ["a".repeat(32), "b".repeat(32)]
      mkdirSync(folder)
      for (const name of [`${old}.eml`, `${old}.eml.part`, `${young}.eml`, "notes.txt"]) {
        writeFileSync(join(folder, name), "")
        const age = name.startsWith(young)
          ? Duration.subtract(jobLifetime, Duration.hours(1))
          : Duration.sum(jobLifetime, Duration.hours(1))
        const time = DateTime.toDateUtc(DateTime.subtractDuration(now, age))
        utimesSync(join(folder, name), time, time)
      }
      yield* Layer.build(expiry)
      yield* eventually(Effect.sync(() => readdirSync(folder).length === 2))
      assert.sameMembers(readdirSync(folder), [`${young}.eml`, "notes.txt"])
    }).pipe(Effect.scoped))
})

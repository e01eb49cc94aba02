// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define } from "../../../../src/foundation/jobs/Job.ts"
import { Outbox } from "../../../../src/foundation/jobs/outbox/Outbox.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { Relay } from "../../../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../../../src/foundation/jobs/queue/Worker.ts"
import * as OutageLog from "../../../../src/foundation/log/OutageLog.ts"
import { eventually } from "../../../support/Eventually.ts"
import { layerOn, Redis, type Store, stores } from "../../../support/TestJobs.ts"

const Probe = define({ queue: "probes", payload: Schema.Struct({}), subject: () => "subject" })

/** Has the store answer each worker's call for a job with an error, at once, or no longer. */
const setRefusal = {
  redis: (refuses: boolean) =>
    Effect.gen(function*() {
      const redis = yield* Redis
      yield* redis?.permit(...refuses ? ["-@scripting"] : ["+@scripting"]) ?? Effect.void
    }),
  postgres: (refuses: boolean) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [from, to] = refuses ? ["move_to_active", "hidden"] : ["hidden", "move_to_active"]
      yield* sql`ALTER FUNCTION bullmq.${sql(from)} RENAME TO ${sql(to)}`
    })
} satisfies Record<Store, unknown>

describe.each(stores)("A worker whose store refuses ($store)", ({ skip, store }) => {
  if (skip !== undefined) return it.skip(skip)

  it.live("leaves the process its time, and works as soon as the store permits it", () =>
    Effect.gen(function*() {
      const open = yield* OutageLog.OpenOutages
      const outbox = yield* Outbox
      const failures = () => open.get("queues")?.failures ?? 0
      let isDone = false
      yield* setRefusal[store](true)
      yield* Layer.build(Worker.layer({ kind: Probe, handler: () => Effect.sync(() => isDone = true) }))
      yield* eventually(Effect.sync(() => failures() > 0))

      let ticks = 0
      const before = failures()
      const timer = setInterval(() => ticks++, 100)
      yield* eventually(Effect.sync(() => failures() > before))
      clearInterval(timer)
      assert.isAbove(ticks, 4, "of a tenth of a second each, from one failure to the next")

      yield* setRefusal[store](false)
      yield* Layer.build(Relay.layerLoop)
      yield* outbox.publish(Probe.make({}))
      yield* eventually(Effect.sync(() => isDone))
    }).pipe(
      Effect.scoped,
      Effect.provide(layerOn(store)),
      Effect.provideService(OutageLog.OpenOutages, new Map())
    ), 120_000)
})

it.live("A PostgreSQL in which jobs cannot be written is not available", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { available } = yield* Queues
    yield* available
    yield* sql`ALTER TABLE bullmq.job RENAME TO hidden`
    assert.include((yield* Effect.flip(available)).message, "relation \"job\" does not exist")
  }).pipe(Effect.provide(layerOn("postgres"))), 60_000)

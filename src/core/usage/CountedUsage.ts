import { Clock, Duration, Effect, Latch, Layer, Metric } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import { register } from "../../foundation/operator/Series.ts"
import { rowsOf } from "./UsageBatch.ts"
import { UsageCells } from "./UsageCells.ts"
import { type Delivery, type Gap, UsageInbox } from "./UsageInbox.ts"
import { UsageNotes } from "./UsageNotes.ts"
import { Outcome } from "./Use.ts"

/**
 * Counts of a server. A fiber hands the sums over after each `USAGE_INTERVAL`, sooner when half of the cells are in
 * use, and when the server stops. A batch that was not taken is sent again as it is, with its id; meanwhile calls are
 * added up in the cells that are left. Calls for which there is none are remembered as a number, by day.
 */
export const CountedUsage: Layer.Layer<never, never, AppConfig | DatabaseClock | SqlClient.SqlClient> = Layer.effect(
  UsageNotes,
  Effect.gen(function*() {
    const { tokenTimeout, usage, usageCells, usageInterval } = yield* AppConfig
    const clock = yield* Clock.Clock
    const databaseClock = yield* DatabaseClock
    const inbox = yield* UsageInbox
    const sender = `server ${randomUUID()}`
    const isInUse = yield* Latch.make()
    const manyInUse = yield* Latch.make()
    const waiting: Array<Unsent> = []
    const reason = usage === "off" ? "off" : "overflow"
    const most = usage === "off" ? 0 : usageCells
    const manyCells = usageCells / 2
    let offset = yield* databaseClock.offsetMillis
    const now = () => clock.currentTimeMillisUnsafe() + offset
    let current = new Day(now())
    // Cells of what waits, and numbers of calls for the metrics.
    let unsent = 0
    const noted: Record<Outcome, number> = {
      allowed: 0,
      unrestricted: 0,
      insufficient_scope: 0,
      closed: 0,
      unlisted: 0,
      malformed: 0,
      introspected: 0
    }
    let others = 0

    const take = () => {
      const { cells, day } = current
      current = new Day(now())
      if (cells.size === 0 && cells.others === 0) return
      const gaps: ReadonlyArray<Gap> = cells.others === 0
        ? []
        : [{ day, reason, calls: cells.others }]
      unsent += cells.size
      others += cells.others
      waiting.push({
        size: cells.size,
        delivery: { sender, batch: randomUUID(), rows: rowsOf(cells.counts()), gaps }
      })
    }
    const send = Effect.gen(function*() {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        yield* inbox.deliver(next.delivery)
        waiting.shift()
        unsent -= next.size
      }
    })

    // What failed before goes first: until it is through, calls are added up in the cells that there are.
    const flush = Effect.gen(function*() {
      yield* send
      take()
      yield* send
      offset = yield* databaseClock.offsetMillis
    }).pipe(
      Outages.bestEffort("Calls were not counted yet"),
      Effect.provideService(StatementTimeout, tokenTimeout)
    )

    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.forever(Effect.gen(function*() {
      // A server that checks no calls is not woken.
      yield* isInUse.await
      yield* Effect.raceFirst(manyInUse.await, Effect.sleep(usageInterval))
      yield* manyInUse.close
      yield* isInUse.close
      yield* flush
      if (waiting.length === 0) return
      yield* isInUse.open
      yield* Effect.sleep(pause)
    })))
    yield* register(cellsInUse, () => ({ value: current.cells.size + unsent }))
    yield* Effect.forEach(
      Outcome.literals,
      (outcome) =>
        register(Metric.withAttributes(notedCalls, { outcome }), () => ({ count: noted[outcome], incremental: true }))
    )
    yield* register(
      Metric.withAttributes(missedCalls, { reason }),
      () => ({ count: others + current.cells.others, incremental: true })
    )

    return UsageNotes.of({
      looksUp: usage !== "off",
      note: (call) => {
        const at = now()
        if (at >= current.ends) take()
        current.cells.add(call, Math.floor(at / 1000), most - unsent - current.cells.size)
        noted[call.outcome]++
        isInUse.openUnsafe()
        if (current.cells.size >= manyCells && waiting.length === 0) manyInUse.openUnsafe()
      }
    })
  })
).pipe(Layer.provide(UsageInbox.layer))

/** Wait after a failure. */
const pause = Duration.seconds(10)

class Day {
  readonly cells: UsageCells
  readonly day: string
  /** When the day ends, in milliseconds since 1970. */
  readonly ends: number

  constructor(now: number) {
    this.cells = new UsageCells(Math.floor(now / 1000))
    this.day = new Date(now).toISOString().slice(0, 10)
    this.ends = (Math.floor(now / dayMillis) + 1) * dayMillis
  }
}

interface Unsent {
  readonly size: number
  readonly delivery: Delivery
}

const dayMillis = 86_400_000

const cellsInUse = Metric.gauge("slotkey_usage_cells", {
  description: "Sums of calls that wait to be written, of at most USAGE_CELLS"
})

const notedCalls = Metric.counter("slotkey_usage_calls_total", {
  description: "Calls with a token that were counted, or would have been, by what became of them",
  incremental: true
})

const missedCalls = Metric.counter("slotkey_usage_missed_calls_total", {
  description: "Calls that were not counted, because USAGE is off or too many different ones came",
  incremental: true
})

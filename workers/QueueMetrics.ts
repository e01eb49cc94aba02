import { DateTime, Duration, Effect, Metric, Option } from "effect"
import type { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { queueNames } from "../src/foundation/jobs/queue/QueueNames.ts"
import type { Queues } from "../src/foundation/jobs/queue/Queues.ts"

/**
 * Updates the gauges of queues and outbox. Those of a store that does not answer keep their values, and `*_up` is 0.
 */
export const collect = Effect.fn("QueueMetrics.collect")(function*(
  queues: Queues["Service"],
  outbox: OutboxRepo["Service"]
) {
  const now = yield* DateTime.now
  const seconds = (at: DateTime.Utc) => Duration.toSeconds(DateTime.distance(at, now))

  const ofQueue = Effect.fnUntraced(function*(name: string) {
    const queue = yield* queues.queue(name)
    const counts = yield* queues.ask(() => queue.getJobCounts())
    for (const [state, jobs] of Object.entries(counts)) yield* set(depth, { queue: name, state }, jobs)
    const [oldest] = yield* queues.ask(() => queue.getJobs(["waiting"], 0, 0, true))
    yield* set(
      age,
      { queue: name },
      oldest === undefined ? 0 : Math.max(0, seconds(DateTime.makeUnsafe(oldest.timestamp)))
    )
  })

  const ofQueues = Effect.andThen(queues.available, Effect.forEach(queueNames, ofQueue, { concurrency: 2 }))
  const isUp = yield* Effect.match(Effect.timeout(ofQueues, "5 seconds"), { onFailure: () => 0, onSuccess: () => 1 })
  yield* set(up, {}, isUp)

  const backlog = yield* outbox.backlog.pipe(
    Effect.timeoutOption("5 seconds"),
    Effect.catchCause(() => Effect.succeedNone)
  )
  yield* set(databaseUp, {}, Option.isSome(backlog) ? 1 : 0)
  if (Option.isNone(backlog)) return
  for (const queue of new Set([...queueNames, ...backlog.value.map(({ queue }) => queue)])) {
    const lines = backlog.value.filter((line) => line.queue === queue)
    const sum = (pick: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + pick(line), 0)
    yield* set(outboxJobs, { queue, state: "waiting" }, sum(({ waiting }) => waiting))
    yield* set(outboxJobs, { queue, state: "enqueued" }, sum(({ open, waiting }) => open - waiting))
    yield* set(outboxJobs, { queue, state: "dead" }, sum(({ dead }) => dead))
    yield* set(outboxAge, { queue }, sum(({ oldest }) => oldest === null ? 0 : Math.max(0, seconds(oldest))))
  }
})

const set = (gauge: Metric.Gauge<number>, attributes: Readonly<Record<string, string>>, value: number) =>
  Metric.update(Metric.withAttributes(gauge, attributes), value)

const depth = Metric.gauge("slotkey_queue_jobs", { description: "Jobs in a queue, by state" })
const age = Metric.gauge("slotkey_queue_oldest_waiting_seconds", { description: "Age of the oldest job that waits" })
const up = Metric.gauge("slotkey_queues_up", { description: "1 if the queues could be asked for these figures" })
const databaseUp = Metric.gauge("slotkey_database_up", {
  description: "1 if the database could be asked for the figures of the outbox"
})
const outboxJobs = Metric.gauge("slotkey_outbox_jobs", {
  description: "Published jobs: waiting for the relay or until they are due, enqueued, or put aside"
})
const outboxAge = Metric.gauge("slotkey_outbox_oldest_open_seconds", {
  description: "Time since the oldest published job was due that is not done"
})

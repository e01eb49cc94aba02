import type { JobsOptions } from "bullmq"
import { Clock, Context, Duration, Effect, Schedule, type Scope } from "effect"
import { isDeepStrictEqual } from "node:util"
import { AppConfig } from "../../config/AppConfig.ts"
import type { PendingJob, Times } from "../Job.ts"
import type { JobQueue } from "./JobQueue.ts"
import { Queues } from "./Queues.ts"
import { logFailure } from "./QueueStore.ts"
import { jobOptions } from "./Relay.ts"

/**
 * Keeps the job scheduled while the scope is open. Any number of workers make one schedule of it, because BullMQ's job
 * scheduler has one id, and a worker with other settings renews it. It is checked every minute, so that it is back soon
 * after a Redis was wiped.
 */
export const keepScheduled = Effect.fnUntraced(function*(
  job: PendingJob,
  times: Times
): Effect.fn.Return<void, never, AppConfig | Queues | Scope.Scope> {
  const options = jobOptions(yield* AppConfig)
  const queues = yield* Queues
  const ensure = Effect.gen(function*() {
    yield* queues.available
    const queue = yield* queues.queue(job.queue)
    const now = yield* Clock.currentTimeMillis
    yield* queues.ask(() => upsertSchedule(queue, job, times, options, now))
  })
  yield* ensure.pipe(
    Effect.catchCause((cause) => logFailure("A schedule could not be kept", cause)),
    Effect.annotateLogs({ queue: job.queue }),
    Effect.repeat(Schedule.spaced("1 minute")),
    Effect.forkScoped
  )
})

/** Keeper of the workers' schedules: the queues, unless a test does their jobs when it wants to. */
export const KeepScheduled = Context.Reference<typeof keepScheduled>(
  "slotkey/foundation/jobs/queue/Schedules/KeepScheduled",
  { defaultValue: () => keepScheduled }
)

const schedulerId = "scheduled"

const upsertSchedule = async (
  queue: JobQueue,
  job: PendingJob,
  times: Times,
  opts: JobsOptions,
  now: number
): Promise<void> => {
  const repeat = "cron" in times
    ? { pattern: times.cron, tz: "UTC" }
    : { every: Duration.toMillis(times.every) }
  const template = { data: { subject: job.subject, at: null, payload: job.payload }, opts }
  const known = await queue.getJobScheduler(schedulerId)
  const isDueAlike = known !== undefined &&
    ("pattern" in repeat ? known.pattern === repeat.pattern : Number(known.every) === repeat.every)
  // BullMQ would drop a run by the pattern that is due and has not begun, and go on with the next one.
  if (isDueAlike && "pattern" in repeat && Number(known.next) <= now) return
  if (isDueAlike && isDeepStrictEqual(known.template, JSON.parse(JSON.stringify(template)))) return
  await queue.upsertJobScheduler(schedulerId, repeat, { name: job.queue, ...template })
}

import { DateTime, Duration, Effect } from "effect"
import { DatabaseClock } from "../../../foundation/database/DatabaseClock.ts"
import { type OpenJob, OutboxRepo } from "../../../foundation/jobs/outbox/OutboxRepo.ts"
import { type Check, degraded, ok } from "../../../foundation/operator/Readiness.ts"

/**
 * Tells by the published jobs whether a worker runs: each passes them on twice a second, and looks for those that it
 * has passed on every half minute. How old a job is would not tell, for one that fails is tried again for hours.
 */
export const workersCheck: Effect.Effect<Check<"workers">, never, DatabaseClock | OutboxRepo> = Effect.gen(function*() {
  const clock = yield* DatabaseClock
  const outbox = yield* OutboxRepo

  const probe = Effect.gen(function*() {
    const now = yield* clock.now
    const since = DateTime.subtractDuration(now, patience)
    const next = yield* outbox.next(1)
    const waiting = next.filter((job) => DateTime.isLessThan(openSince(job), since))
    const [job] = [...waiting, ...yield* outbox.notSeenSince(since, 1)]
    return job === undefined ? well : forgotten(DateTime.distance(openSince(job), now))
  })
  return { name: "workers", probe, otherwise: "degraded" }
})

/** Since when a worker could have seen it. */
const openSince = ({ createdAt, dueAt, replayedAt }: OpenJob): DateTime.Utc => replayedAt ?? dueAt ?? createdAt

/** Several times what a worker takes, with the pause of one that is started again. */
const patience = Duration.minutes(3)

const well = ok("No job waits for a worker.")

const forgotten = (age: Duration.Duration) =>
  degraded(`A job is ${Math.floor(Duration.toMinutes(age))} minutes old, and no worker looks for it.`)

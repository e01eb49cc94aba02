import { Duration, Effect, Metric } from "effect"

/**
 * End of an attempt, as the label of the metrics: `again` failed and will be retried, `dead` failed for good, `skipped`
 * had been done before, `returned` was interrupted because its worker stopped.
 */
type Outcome = "done" | "skipped" | "again" | "dead" | "returned"

const attempts = Metric.counter("slotkey_job_attempts_total", {
  description: "Attempts at jobs by queue and outcome",
  incremental: true
})

const seconds = Metric.histogram("slotkey_job_duration_seconds", {
  description: "How long attempts at jobs took",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
})

export const recordAttempt = Effect.fnUntraced(function*(queue: string, outcome: Outcome, took: Duration.Duration) {
  yield* Metric.update(Metric.withAttributes(attempts, { queue, outcome }), 1)
  yield* Metric.update(Metric.withAttributes(seconds, { queue }), Duration.toSeconds(took))
})

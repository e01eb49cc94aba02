import { Effect, Layer } from "effect"
import { OutboxRepo } from "../src/foundation/jobs/outbox/OutboxRepo.ts"
import { jobChecks } from "../src/foundation/jobs/queue/JobChecks.ts"
import { Queues } from "../src/foundation/jobs/queue/Queues.ts"
import { Collectors } from "../src/foundation/operator/Collectors.ts"
import type { Status } from "../src/foundation/operator/Readiness.ts"
import * as QueueMetrics from "./QueueMetrics.ts"
import * as StoredMetrics from "./StoredMetrics.ts"

/** Operator's view of a process with workers, beside the rest: the checks of its jobs, and their figures. */
export const layer = (trouble: Exclude<Status, "ok">) =>
  Layer.merge(
    jobChecks(trouble),
    Layer.effectDiscard(Effect.gen(function*() {
      const collectors = yield* Collectors
      yield* collectors.add(QueueMetrics.collect(yield* Queues, yield* OutboxRepo))
      yield* collectors.add(yield* StoredMetrics.collector)
    }))
  )

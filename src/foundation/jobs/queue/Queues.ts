import type { WorkerOptions } from "bullmq"
import { Context, Effect, Layer, type Scope } from "effect"
import type { AppConfig } from "../../config/AppConfig.ts"
import type { DatabaseHosts } from "../../database/hosts/DatabaseHosts.ts"
import type { JobQueue, JobWorker, ProcessJob } from "./JobQueue.ts"
import type { QueuesUnavailable } from "./QueueStore.ts"

/**
 * BullMQ's queues: on Redis when `REDIS_URL` is set, else in the database; callers cannot tell the difference. The
 * relay adds jobs, workers take them, and the operator's view reads them. What is lost here is enqueued again from the
 * outbox.
 */
export class Queues extends Context.Service<Queues, {
  readonly store: "redis" | "postgres"
  /** Queue with this name, opened by the first call. */
  queue(name: string): Effect.Effect<JobQueue>
  /** Starts a worker that lives as long as the scope; closing it waits for the jobs in hand. */
  startWorker(
    name: string,
    process: ProcessJob,
    options: Omit<WorkerOptions, "connection">
  ): Effect.Effect<Pick<JobWorker, "close">, never, Scope.Scope>
  /** Waits for a call to the store, such as a method of a queue, for `QUEUE_TIMEOUT`. */
  ask<A>(call: () => Promise<A>): Effect.Effect<A, QueuesUnavailable>
  /** Fails when the store does not answer. */
  readonly available: Effect.Effect<void, QueuesUnavailable>
}>()("slotkey/foundation/jobs/queue/Queues") {
  /** Loads BullMQ with its drivers when it is built: a test kit does its jobs without. */
  static readonly layer: Layer.Layer<Queues, QueuesUnavailable, AppConfig | DatabaseHosts> = Layer.effect(
    Queues,
    Effect.flatMap(Effect.promise(() => import("./OpenQueues.ts")), ({ open }) => open)
  )
}

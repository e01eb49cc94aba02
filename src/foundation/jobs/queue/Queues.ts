import type { IQueueBackend, Job, Queue, Worker, WorkerOptions } from "bullmq"
import { Context, Effect, Layer, type Scope } from "effect"
import type { AppConfig } from "../../config/AppConfig.ts"
import type { DatabaseHosts } from "../../database/hosts/DatabaseHosts.ts"
import type { QueuesUnavailable } from "./QueueStore.ts"

/** A job as BullMQ carries it; `at` is the time at which its outbox row was written, `null` for a scheduled job. */
export interface JobData {
  readonly subject: string
  readonly at: string | null
  readonly payload: unknown
  /** Span that the job continues; none for a job that was published without one. */
  readonly traceparent?: string
}

export type JobQueue = Queue<JobData, void, string, JobData, void, string, IQueueBackend>
/** Part of a job that its worker needs. */
export type JobInQueue = Pick<
  Job<JobData, void>,
  "attemptsMade" | "data" | "id" | "moveToWait" | "opts" | "updateProgress"
>
/** Does a job, or throws for another attempt. */
export type ProcessJob = (job: JobInQueue, token?: string) => Promise<void>
export type JobWorker = Worker<JobData, void, string, IQueueBackend>

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

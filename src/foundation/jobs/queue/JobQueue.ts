import type { IQueueBackend, Job, Queue, Worker } from "bullmq"

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

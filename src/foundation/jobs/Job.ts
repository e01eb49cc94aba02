import { type Duration, Schema } from "effect"

/**
 * A job is work that follows from a change of state, or is due at set times, and that no request waits for. Each file
 * in `kinds/` defines one kind. `core` publishes jobs to the outbox in the transaction of the change, `queue/` carries
 * them, and `workers/` does them (docs/jobs.md).
 */
export interface JobKind<A, I> {
  /** Name of the BullMQ queue that carries this kind and no other. */
  readonly queue: string
  readonly payload: Schema.Codec<A, I>
  /** A job to publish. Jobs of one subject in one queue are done one after the other, in the order of publication. */
  readonly make: (payload: A) => PendingJob
  readonly schedule?: Schedule<A>
}

/** Schedules the job with this payload at these times, whether or not others of its kind are published. */
interface Schedule<A> {
  readonly payload: A
  readonly times: Times
}

/** Times at which a job is due: at an interval, or by a cron pattern in UTC. */
export type Times = { readonly every: Duration.Duration } | { readonly cron: string }

/** A job as the outbox takes it: the payload already encoded. */
export interface PendingJob {
  readonly queue: string
  readonly subject: string
  readonly payload: unknown
}

/** Key of a payload, beside those of its kind: name of the brand whose page the job follows from, for its mails. */
export const brandKey = "brand"

/** Defines a kind of job without a payload, which is due at these times. */
export const scheduled = (
  { queue, subject, times }: Pick<PendingJob, "queue" | "subject"> & { readonly times: Times }
) => define({ queue, payload: Schema.Struct({}), subject: () => subject, schedule: { payload: {}, times } })

export const define = <A, I>(options: {
  readonly queue: string
  readonly payload: Schema.Codec<A, I>
  readonly subject: (payload: A) => string
  readonly schedule?: Schedule<A>
}): JobKind<A, I> => {
  const encode = Schema.encodeSync(options.payload)
  return {
    ...options,
    make: (payload) => ({ queue: options.queue, subject: options.subject(payload), payload: encode(payload) })
  }
}

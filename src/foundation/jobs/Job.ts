import { Schema } from "effect"

/**
 * A job is work that follows from a change of state, or is due at set times, and that no request waits for. Each file
 * in `kinds/` defines one kind. `core` publishes jobs to the outbox in the transaction of the change, `queue/` carries
 * them, and `workers/` does them (docs/jobs.md).
 */
export interface JobKind<A, I> {
  /** The name of the BullMQ queue that carries this kind and no other. */
  readonly queue: string
  readonly payload: Schema.Codec<A, I>
  /** A job to publish. Jobs of one subject in one queue are done one after the other, in the order of publication. */
  readonly make: (payload: A) => PendingJob
}

/** A job as the outbox takes it: the payload already encoded. */
export interface PendingJob {
  readonly queue: string
  readonly subject: string
  readonly payload: unknown
}

export const define = <A, I>(options: {
  readonly queue: string
  readonly payload: Schema.Codec<A, I>
  readonly subject: (payload: A) => string
}): JobKind<A, I> => {
  const encode = Schema.encodeSync(options.payload)
  return {
    queue: options.queue,
    payload: options.payload,
    make: (payload) => ({ queue: options.queue, subject: options.subject(payload), payload: encode(payload) })
  }
}

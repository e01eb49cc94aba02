import { Schema } from "effect"

/** One kind of job: the queue that carries it and the schema that both ends agree on. */
export interface JobKind<A, I> {
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

import { type Array, Effect, type Tracer } from "effect"

/** A message with the span in which its sender waits. */
interface Sent<Message> {
  readonly message: Message
  readonly span: Tracer.Span
}

/**
 * A span for each message of a mailbox, and one for each batch. A batch belongs to the trace of its first sender, whose
 * statements it shows; links lead from it to all senders, and from each of them to it.
 */
export const batchSpans = <Message, Answer>(
  name: string,
  handle: (batch: Array.NonEmptyReadonlyArray<Message>) => Effect.Effect<ReadonlyArray<Answer>>
) => ({
  handle: (batch: Array.NonEmptyReadonlyArray<Sent<Message>>): Effect.Effect<ReadonlyArray<Answer>> => {
    const [first, ...others] = batch
    const parent = batch.find(({ span }) => span.sampled)?.span ?? first.span
    const handled = Effect.flatMap(Effect.orDie(Effect.currentSpan), (span) => {
      for (const sender of batch) sender.span.addLinks([link(span)])
      return handle([first.message, ...others.map(({ message }) => message)])
    })
    return Effect.withSpan(handled, `${name} batch`, {
      parent,
      links: batch.map(({ span }) => link(span)),
      attributes: { "db.operation.batch.size": batch.length }
    })
  },
  send: <E>(mailbox: (sent: Sent<Message>) => Effect.Effect<Answer, E>) => (message: Message) =>
    Effect.useSpan(name, (span) => mailbox({ message, span }))
})

const link = (span: Tracer.Span): Tracer.SpanLink => ({ span, attributes: {} })

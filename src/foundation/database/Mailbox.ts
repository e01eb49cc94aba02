import { Array, Effect, Exit, FiberSet, type Scope } from "effect"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"

/** Sends a message and waits for its answer; fails at once when the mailbox is full. */
export type Mailbox<Message, Answer> = (message: Message) => Effect.Effect<Answer, TemporarilyUnavailable>

export interface Options<Message, Answer> {
  /** Answers a batch: one answer for each message, in the order of the messages. */
  readonly handle: (batch: Batch<Message>) => Effect.Effect<ReadonlyArray<Answer>>
  /** The number of messages that may wait. */
  readonly capacity?: number
  /** The usual size of a batch. Without a limit all messages would go at once, and this thread would idle meanwhile. */
  readonly size?: number
  /** The number of batches in flight. The first leaves at once, another one when it is full or 5 ms have passed. */
  readonly workers?: number
}

export type Batch<Message> = Array.NonEmptyReadonlyArray<Message>

/**
 * Drains concurrent messages together and commits them as one statement or one transaction a batch (docs/design.md,
 * "Actors"). They are handled on a fiber of the mailbox: a message never joins a transaction of its sender, and an
 * interrupted sender does not undo it.
 */
export const make = Effect.fnUntraced(function*<Message, Answer>(
  { capacity = 512, handle, size = 24, workers = 2 }: Options<Message, Answer>
): Effect.fn.Return<Mailbox<Message, Answer>, never, Scope.Scope> {
  const run = yield* FiberSet.makeRuntime()
  const waiting: Array<Entry<Message, Answer>> = []
  let inFlight = 0
  let isTurnAwaited = false
  let partialBatchTimer: NodeJS.Timeout | undefined

  const add = (entry: Entry<Message, Answer>) => {
    waiting.push(entry)
    if (waiting.length >= size) return startBatches()
    if (isTurnAwaited) return
    isTurnAwaited = true
    // Messages of requests that the sockets already hold go into the same batch.
    setImmediate(() => {
      isTurnAwaited = false
      startBatches()
    })
  }

  const startBatches = (minSize = size) => {
    while (inFlight < workers && waiting.length >= (inFlight === 0 ? 1 : minSize)) {
      inFlight++
      const entries = waiting.splice(0, Math.max(size, Math.ceil(waiting.length / workers)))
      run(handleEntries(entries)).addObserver((exit) => {
        inFlight--
        // The database gets its next batch before this thread continues with the answers to the last.
        startBatches()
        deliver(entries, exit)
      })
    }
    if (waiting.length > 0 && inFlight < workers) partialBatchTimer ??= setTimeout(startPartialBatch, 5)
  }

  // A batch that waits in the database, for a locked row, must not hold up the others.
  const startPartialBatch = () => {
    partialBatchTimer = undefined
    startBatches(1)
  }

  const handleEntries = (entries: ReadonlyArray<Entry<Message, Answer>>) => {
    const batch = entries.map(({ message }) => message)
    return Array.isReadonlyArrayNonEmpty(batch)
      ? Effect.suspend(() => handle(batch))
      : Effect.succeed([])
  }

  const deliver = (entries: ReadonlyArray<Entry<Message, Answer>>, exit: Exit.Exit<ReadonlyArray<Answer>>) => {
    if (Exit.isFailure(exit)) entries.forEach(({ answer }) => answer(Exit.failCause(exit.cause)))
    else Array.zip(entries, exit.value).forEach(([{ answer }, value]) => answer(Exit.succeed(value)))
  }

  return (message) =>
    Effect.callback<Answer, TemporarilyUnavailable>((answer) =>
      waiting.length < capacity ? add({ message, answer }) : answer(full)
    )
})

/** A message that waits, with the callback that takes its answer. */
interface Entry<Message, Answer> {
  readonly message: Message
  readonly answer: (exit: Exit.Exit<Answer>) => void
}

const full = Effect.fail(new TemporarilyUnavailable({ error_description: "the server is busy, try again shortly" }))

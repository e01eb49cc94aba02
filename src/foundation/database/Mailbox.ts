import { Array, Effect, Exit, FiberSet, type Scope } from "effect"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"

/** Sends a message and waits for its answer; refused at once when the mailbox is full. */
export type Mailbox<Message, Answer> = (message: Message) => Effect.Effect<Answer, TemporarilyUnavailable>

export interface Options<Message, Answer> {
  /** Answers a batch: one answer for each message, in the order of the messages. */
  readonly handle: (batch: Batch<Message>) => Effect.Effect<ReadonlyArray<Answer>>
  /** How many messages may wait. */
  readonly capacity?: number
  /** How many messages make one batch, unless more wait: not all at once, or this thread rests while the database works. */
  readonly size?: number
  /** How many batches are under way at once. The first one leaves at once, the others when they are full or a bit late. */
  readonly workers?: number
}

export type Batch<Message> = Array.NonEmptyReadonlyArray<Message>

/**
 * Concurrent messages are drained together and committed as one statement or one transaction a batch (design, actors).
 * They are handled on a fiber of the mailbox: a message never joins a transaction of its sender, and an interrupted
 * sender does not undo it.
 */
export const make = Effect.fnUntraced(function*<Message, Answer>(
  { capacity = 512, handle, size = 24, workers = 2 }: Options<Message, Answer>
): Effect.fn.Return<Mailbox<Message, Answer>, never, Scope.Scope> {
  interface Letter {
    readonly message: Message
    readonly answer: (exit: Exit.Exit<Answer>) => void
  }
  const run = yield* FiberSet.makeRuntime()
  const waiting: Array<Letter> = []
  let underWay = 0
  let awaited = false
  let late: NodeJS.Timeout | undefined

  const offer = (letter: Letter) => {
    waiting.push(letter)
    if (waiting.length >= size) return work()
    if (awaited) return
    awaited = true
    // What the sockets hold at this moment goes into the same batch.
    setImmediate(() => {
      awaited = false
      work()
    })
  }

  const work = (least = size) => {
    while (underWay < workers && waiting.length >= (underWay === 0 ? 1 : least)) {
      underWay++
      const letters = waiting.splice(0, Math.max(size, Math.ceil(waiting.length / workers)))
      run(handled(letters)).addObserver((exit) => {
        underWay--
        // The database has its next batch before this thread goes on with the answers of the last.
        work()
        deliver(letters, exit)
      })
    }
    if (waiting.length > 0 && underWay < workers) late ??= setTimeout(partly, 5)
  }

  // A batch that the database holds up, for a row that somebody has locked, must not hold up the others.
  const partly = () => {
    late = undefined
    work(1)
  }

  const handled = (letters: ReadonlyArray<Letter>) => {
    const batch = letters.map(({ message }) => message)
    return Array.isReadonlyArrayNonEmpty(batch)
      ? Effect.suspend(() => handle(batch))
      : Effect.succeed([])
  }

  const deliver = (letters: ReadonlyArray<Letter>, exit: Exit.Exit<ReadonlyArray<Answer>>) => {
    if (Exit.isFailure(exit)) letters.forEach(({ answer }) => answer(Exit.failCause(exit.cause)))
    else Array.zip(letters, exit.value).forEach(([{ answer }, value]) => answer(Exit.succeed(value)))
  }

  return (message) =>
    Effect.callback<Answer, TemporarilyUnavailable>((answer) =>
      waiting.length < capacity ? offer({ message, answer }) : answer(full)
    )
})

const full = Effect.fail(new TemporarilyUnavailable({ error_description: "the server is busy, try again shortly" }))

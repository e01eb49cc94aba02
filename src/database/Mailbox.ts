import { Array, Deferred, Effect, Exit, Queue, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { TemporarilyUnavailable } from "../domain/OAuthError.ts"

/** Sends a message and waits for its answer; refused at once when the mailbox is full. */
export type Mailbox<Message, Answer> = (message: Message) => Effect.Effect<Answer, TemporarilyUnavailable>

export interface Options<Message, Answer> {
  /** Answers a batch: one answer for each message, in the order of the messages. */
  readonly handle: (batch: Batch<Message>) => Effect.Effect<ReadonlyArray<Answer>, SqlError.SqlError>
  /** How many messages may wait. */
  readonly capacity?: number
  /** How many messages make one batch at most. */
  readonly size?: number
  /** How many batches are under way at once: the next fills while the last one commits. */
  readonly workers?: number
}

export type Batch<Message> = Array.NonEmptyReadonlyArray<Message>

/**
 * Concurrent messages are drained together and committed as one statement or one transaction a batch (design, actors).
 * They are handled on a fiber of the mailbox: a message never joins a transaction of its sender, and an interrupted
 * sender does not undo it.
 */
export const make = Effect.fnUntraced(function*<Message, Answer>(
  { capacity = 512, handle, size = 64, workers = 2 }: Options<Message, Answer>
): Effect.fn.Return<Mailbox<Message, Answer>, never, Scope.Scope> {
  interface Letter {
    readonly message: Message
    readonly answer: Deferred.Deferred<Answer>
  }
  const queue = yield* Effect.acquireRelease(Queue.dropping<Letter>(capacity), Queue.shutdown)

  const work = Effect.gen(function*() {
    const letters = yield* Queue.takeBetween(queue, 1, size)
    if (!Array.isArrayNonEmpty(letters)) return
    const batch = Array.map(letters, ({ message }) => message)
    const exit = yield* Effect.exit(Effect.orDie(Effect.retry(handle(batch), again)))
    if (Exit.isFailure(exit)) letters.forEach(({ answer }) => Deferred.doneUnsafe(answer, Exit.failCause(exit.cause)))
    else {Array.zip(letters, exit.value).forEach(([{ answer }, value]) =>
        Deferred.doneUnsafe(answer, Exit.succeed(value))
      )}
  })
  yield* Effect.forEach(Array.range(1, workers), () => Effect.forkScoped(Effect.forever(work)), { discard: true })

  return (message) =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<Answer>()
      return Queue.offerUnsafe(queue, { message, answer }) ? Deferred.await(answer) : full
    })
})

const full = Effect.fail(new TemporarilyUnavailable({ error_description: "the server is busy, try again shortly" }))

// The database rolled the whole batch back, so nothing happens twice. After a lost connection nobody could know.
const again = {
  while: ({ reason }: SqlError.SqlError) => reason._tag === "DeadlockError" || reason._tag === "SerializationError",
  schedule: Schedule.recurs(3)
}

import { Array, Duration, Effect, Exit, type Fiber, FiberSet, Metric, type Scope } from "effect"
import { SqlError } from "effect/sql"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { AppConfig } from "../config/AppConfig.ts"
import { Histogram } from "../operator/Histogram.ts"
import { register } from "../operator/Series.ts"
import { isTraced } from "../tracing/TraceContext.ts"
import { batchSpans } from "./BatchSpans.ts"
import { statementShare, StatementTimeout } from "./StatementTimeout.ts"

/**
 * Sends a message and waits for its answer, for `TOKEN_TIMEOUT` at most; fails at once when the mailbox is full. An
 * answer that does not come in time is a defect, as every other failure of the database.
 */
export type Mailbox<Message, Answer> = (message: Message) => Effect.Effect<Answer, TemporarilyUnavailable>

interface Options<Message, Answer> {
  /** Service and method that it stands for, as in spans and metrics. */
  readonly name: string
  /** Answers a batch: one answer for each message, in the order of the messages. */
  readonly handle: (batch: Batch<Message>) => Effect.Effect<ReadonlyArray<Answer>>
  /** Number of messages that may wait. */
  readonly capacity?: number
}

export type Batch<Message> = Array.NonEmptyReadonlyArray<Message>

/** Usual size of a batch. Without a limit all messages would go at once, and this thread would idle meanwhile. */
export const batchSize = 24

/** Number of batches in flight. The first leaves at once, another one when it is full or 5 ms have passed. */
export const mostInFlight = 2

/**
 * Drains concurrent messages together and commits them as one statement or one transaction a batch (docs/design.md,
 * "Actors"). They are handled on a fiber of the mailbox: a message never joins a transaction of its sender, and an
 * interrupted sender does not undo it.
 *
 * A batch that takes too long makes room for the next, and its senders get the advice to try again; they do not learn
 * what became of it. One coarse timer looks after all messages. It counts its own ticks, so that a process that was
 * stopped for a while still delivers the answers that came meanwhile.
 */
export const make = Effect.fnUntraced(function*<Message, Answer>(
  options: Options<Message, Answer>
): Effect.fn.Return<Mailbox<Message, Answer>, never, AppConfig | Scope.Scope> {
  if (!(yield* isTraced)) return yield* makeUntraced(options)
  const { handle, send } = batchSpans(options.name, options.handle)
  return send(yield* makeUntraced({ ...options, handle }))
})

const makeUntraced = Effect.fnUntraced(function*<Message, Answer>(
  { capacity = 512, handle, name }: Options<Message, Answer>
): Effect.fn.Return<Mailbox<Message, Answer>, never, AppConfig | Scope.Scope> {
  const { tokenTimeout } = yield* AppConfig
  const run = yield* Effect.provideService(FiberSet.makeRuntime(), StatementTimeout, statementShare(tokenTimeout))
  const waiting: Array<Entry<Message, Answer>> = []
  // An array, because V8 holds on to what a Set contained when entries come and go fast (docs/decisions/speed.md).
  const underWay: Array<BatchUnderWay<Message, Answer>> = []
  let inFlight = 0
  let isTurnAwaited = false
  let partialBatchTimer: NodeJS.Timeout | undefined
  let ticks = 0
  let isTicking = false
  const batchSizes = new Histogram(sizes)
  yield* register(batchSizesOf(name), () => batchSizes.state())
  yield* register(waitingMessages(name), () => ({ value: waiting.length }))

  const add = (message: Message, answer: Entry<Message, Answer>["answer"]) => {
    waiting.push({ message, answer, since: ticks })
    if (!isTicking) startTick()
    if (waiting.length >= batchSize) return startBatches()
    if (isTurnAwaited) return
    isTurnAwaited = true
    // Messages of requests that the sockets already hold go into the same batch.
    setImmediate(() => {
      isTurnAwaited = false
      startBatches()
    })
  }

  const startBatches = (minSize = batchSize) => {
    while (inFlight < mostInFlight && waiting.length >= (inFlight === 0 ? 1 : minSize)) {
      inFlight++
      const entries = waiting.splice(0, Math.max(batchSize, Math.ceil(waiting.length / mostInFlight)))
      batchSizes.observe(entries.length)
      const fiber = run(handleEntries(entries))
      const batch = { entries, fiber, since: ticks, isLate: false }
      underWay.push(batch)
      fiber.addObserver((exit) => {
        underWay.splice(underWay.indexOf(batch), 1)
        if (!batch.isLate) inFlight--
        // The database gets its next batch before this thread continues with the answers to the last.
        startBatches()
        deliver(entries, exit)
      })
    }
    if (waiting.length > 0 && inFlight < mostInFlight) partialBatchTimer ??= setTimeout(startPartialBatch, 5)
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

  const startTick = () => {
    isTicking = true
    run(Effect.andThen(Effect.sleep(Duration.divideUnsafe(tokenTimeout, patience)), Effect.sync(tick)))
  }

  // Later answers to the same sender are ignored, such as those of a batch that ends after all.
  const refuseLate = (entries: ReadonlyArray<Entry<Message, Answer>>) => {
    for (const { answer, since } of entries) if (ticks - since >= patience) answer(late)
  }

  const tick = () => {
    ticks++
    // A copy, because a batch that is interrupted leaves the list at once.
    for (const batch of underWay.slice()) {
      const age = ticks - batch.since
      if (age === batchPatience) {
        batch.isLate = true
        inFlight--
      }
      refuseLate(batch.entries)
      if (age === patience) batch.fiber.interruptUnsafe()
    }
    refuseLate(waiting)
    startBatches()
    isTicking = false
    if (waiting.length > 0 || underWay.length > 0) startTick()
  }

  return (message) =>
    Effect.callback<Answer, TemporarilyUnavailable>((answer) =>
      waiting.length < capacity ? add(message, answer) : answer(full)
    )
})

/** A message that waits, with the callback that takes its answer. */
interface Entry<Message, Answer> {
  readonly message: Message
  readonly answer: (exit: Exit.Exit<Answer>) => void
  /** Tick in which it arrived. */
  readonly since: number
}

interface BatchUnderWay<Message, Answer> {
  readonly entries: ReadonlyArray<Entry<Message, Answer>>
  readonly fiber: Fiber.Fiber<ReadonlyArray<Answer>>
  /** Tick in which it left. */
  readonly since: number
  /** It has made room for another one. */
  isLate: boolean
}

/** Ticks for which a sender waits. */
const patience = 12

/** Ticks after which a batch makes room for all that waits: by then its statement has run into its own limit. */
const batchPatience = 8

const waitingMessages = (mailbox: string) =>
  Metric.gauge("slotkey_mailbox_waiting", {
    description: "Messages that wait for their batch",
    attributes: { mailbox }
  })

const sizes = [1, 2, 4, 8, 16, 24, 32, 64, 128, 256]

const batchSizesOf = (mailbox: string) =>
  Metric.histogram("slotkey_mailbox_batch_size", {
    description: "Messages in a batch, which goes to the database as one statement or transaction",
    boundaries: sizes,
    attributes: { mailbox }
  })

const full = Effect.fail(new TemporarilyUnavailable({ error_description: "the server is busy, try again shortly" }))

const late = Exit.die(
  new SqlError.SqlError({
    reason: new SqlError.StatementTimeoutError({ cause: new Error("the database did not answer in time") })
  })
)

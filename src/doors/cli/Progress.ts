import { Duration, Effect, Schedule, Stdio, Stream } from "effect"
import { OnMigrationStep } from "../../foundation/database/MigrationStep.ts"
import { Json } from "./OperatorCommand.ts"

/**
 * Tells on standard error how far a long command is: on a terminal in one line that changes, elsewhere in a line for
 * every 5,000 items of a step. What is printed meanwhile comes after a `clear`.
 */
export const make = Effect.gen(function*() {
  const { isTerminal, clear, write } = yield* line
  const interval = isTerminal ? 100 : 5_000
  let told = { step: "", count: 0 }
  const tell = (step: string, count: number) => {
    if (count - (step === told.step ? told.count : 0) < interval) return Effect.void
    told = { step, count }
    return write(`${count} ${step}`)
  }
  return { tell, clear }
})

/** Tells in the same way every few seconds that something goes on whose length nobody knows. */
export const during = (what: string) => <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const { write } = yield* line
    yield* tick((seconds) => write(`${what}: ${seconds} s`))
    return yield* self
  }))

/** Tells of each step of a migration as it begins, and every few seconds that one goes on. */
export const duringSteps = (total: number) => <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const { write } = yield* line
    let count = 0
    // Another process may be at it, for which this one waits.
    let step = `Doing ${total} steps`
    const begin = (name: string) =>
      Effect.suspend(() => {
        step = `Step ${++count} of ${total}, ${name}`
        return write(step)
      })
    yield* tick((seconds) => write(`${step}: ${seconds} s in all`))
    return yield* Effect.provideService(self, OnMigrationStep, begin)
  }))

/** Tells the seconds that have passed, every few of them, until the scope closes. */
const tick = (tell: (seconds: number) => Effect.Effect<void>) => {
  let seconds = 0
  const next = Effect.suspend(() => tell(seconds += Duration.toSeconds(every)))
  return Effect.forkScoped(Effect.repeat(Effect.delay(next, every), Schedule.forever))
}

const every = Duration.seconds(5)

/**
 * Line on a terminal, which the next text replaces. With `--json` standard error is for errors, unless somebody
 * watches.
 */
const line = Effect.gen(function*() {
  const stdio = yield* Stdio.Stdio
  const isTerminal = yield* stdio.stderrIsTerminal
  const isSilent = !isTerminal && (yield* Json)
  const put = (text: string) => Effect.orDie(Stream.run(Stream.make(text), stdio.stderr({ endOnDone: false })))
  let isClean = true
  // An answer begins on an empty line.
  const clear = Effect.suspend(() => {
    if (isClean) return Effect.void
    isClean = true
    return put(emptied)
  })
  yield* Effect.addFinalizer(() => clear)
  const write = (text: string): Effect.Effect<void> => {
    if (isSilent) return Effect.void
    isClean = !isTerminal
    return put(isTerminal ? `${emptied}${text}` : `${text}\n`)
  }
  return { isTerminal, clear, write }
})

/** Returns to the beginning of the terminal's line and clears it (ECMA-48, EL). */
const emptied = "\r\u001b[K"

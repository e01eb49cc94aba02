import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import { threadFlags } from "../../../foundation/config/ThreadFlags.ts"
import { busy } from "../../limits/HashQueue.ts"
import type { Examination } from "./ExaminationThread.ts"

/** Facts that an attacker knows of a person, and tries first. */
export interface Person {
  readonly email: string
  readonly name: string
  readonly username?: string | undefined
}

/**
 * Knows which passwords are easy to guess. They are examined on a thread of its own, one at a time: it takes tens of
 * milliseconds, in which the thread of the requests would answer nobody. The thread begins with the first new password,
 * because most processes never set one.
 */
export class GuessablePasswords extends Context.Service<GuessablePasswords, {
  /**
   * Tells whether a password falls to a guesser within 10⁸ attempts: one that is common, repeats itself, runs along the
   * keyboard, or is made of words of its context (NIST SP 800-63B §3.1.1.2). Passphrases of unrelated words pass. Fails
   * if that takes too long.
   */
  isGuessable(password: Redacted.Redacted, person: Person): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("slotkey/core/accounts/local/GuessablePasswords") {
  static readonly layer: Layer.Layer<GuessablePasswords> = Layer.effect(
    GuessablePasswords,
    Effect.gen(function*() {
      const turn = yield* Semaphore.make(1)
      let thread: Worker | undefined

      const end = Effect.suspend(() => {
        const ended = thread
        thread = undefined
        return Effect.promise(async () => ended?.terminate())
      })
      yield* Effect.addFinalizer(() => end)

      const guesses = (examination: Examination) =>
        Effect.callback<number>((answer) => {
          const worker = thread ??= start()
          const settle = (outcome: Effect.Effect<number>) => {
            worker.off("message", onMessage).off("error", onError)
            answer(outcome)
          }
          const onMessage = (count: number) => settle(Effect.succeed(count))
          // It has ended then.
          const onError = (cause: unknown) => {
            thread = undefined
            settle(Effect.die(cause))
          }
          worker.on("message", onMessage).on("error", onError)
          worker.postMessage(examination)
          return end
        }).pipe(
          Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.fail(busy) }),
          turn.withPermit
        )

      const isGuessable = Effect.fn("GuessablePasswords.isGuessable")(
        function*(password: Redacted.Redacted, person: Person) {
          const beginning = [...Redacted.value(password)].slice(0, examinedLength).join("")
          return (yield* guesses({ beginning, words: contextWords(person) })) < leastGuesses
        }
      )

      return GuessablePasswords.of({ isGuessable })
    })
  )
}

// In the package the files are compiled.
const threadFile = new URL(`ExaminationThread${extname(import.meta.filename)}`, import.meta.url)

// A process ends without waiting for this thread.
const start = () => {
  const thread = new Worker(threadFile, threadFlags)
  thread.unref()
  return thread
}

/** Longer than the thread takes to begin and examine the worst password on a machine that is busy. */
export const timeLimit = "4 seconds"

// Point from which the library calls a password safely unguessable.
const leastGuesses = 1e8

// The time that the library takes grows with the square of the length. What begins well needs no look at the rest.
const examinedLength = 40

const contextWords = ({ email, name, username = "" }: Person): ReadonlyArray<string> =>
  ["slotkey", email, ...email.split(/[@.+_-]/), name, ...name.split(/\s+/), username]
    .filter((word) => word.length >= shortestWord)

// Shorter ones are part of too many other words.
const shortestWord = 3

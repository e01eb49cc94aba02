import { Context, Effect, Redacted } from "effect"
import { once } from "../../domain/Once.ts"

/** The facts that an attacker knows of a person, and tries first. */
export interface Person {
  readonly email: string
  readonly name: string
  readonly username?: string | undefined
}

/**
 * Tells whether a password falls to a guesser within 10⁸ attempts: one that is common, repeats itself, runs along the
 * keyboard, or is made of words of its context (NIST SP 800-63B §3.1.1.2). Passphrases of unrelated words pass.
 */
export const isGuessable = Effect.fn("GuessablePasswords.isGuessable")(
  function*(password: Redacted.Redacted, person: Person) {
    if ((yield* KnownGoodPassword) === Redacted.value(password)) return false
    const zxcvbn = yield* Effect.promise(load)
    const beginning = [...Redacted.value(password)].slice(0, examinedLength).join("")
    return zxcvbn.check(beginning, contextWords(person)).guesses < leastGuesses
  }
)

/** A password that passes unexamined: the one that the test kit gives to all its users, who need no dictionary for it. */
export const KnownGoodPassword = Context.Reference<string | undefined>(
  "slotkey/core/accounts/GuessablePasswords/KnownGoodPassword",
  { defaultValue: () => undefined }
)

// The point from which the library calls a password safely unguessable.
const leastGuesses = 1e8

// The time that the library takes grows with the square of the length, and it keeps the thread for it. What begins well
// needs no look at the rest.
const examinedLength = 40

const contextWords = ({ email, name, username = "" }: Person): Array<string> =>
  ["slotkey", email, ...email.split(/[@.+_-]/), name, ...name.split(/\s+/), username]
    .filter((word) => word.length >= shortestWord)

// Shorter ones are part of too many other words.
const shortestWord = 3

// Loaded with the first new password: the dictionary takes 20 MB, and most processes never set one.
const load = once(async () => {
  const { ZxcvbnFactory } = await import("@zxcvbn-ts/core")
  const { adjacencyGraphs, dictionary } = await import("@zxcvbn-ts/language-common")
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
})

import { Context, Effect, Layer, type Redacted } from "effect"
import type { BadRequest } from "../../../domain/ApiError.ts"
import type { TemporarilyUnavailable } from "../../../domain/OAuthError.ts"
import { HashQueue } from "../../limits/HashQueue.ts"
import { GuessablePasswords, type Person } from "./GuessablePasswords.ts"
import * as NewPassword from "./NewPassword.ts"

/**
 * Hashes passwords with argon2id as PHC strings, which carry the parameters that they were made with. Both methods wait
 * in the `HashQueue`, and fail when it has no room or no time for them.
 */
export class Passwords extends Context.Service<Passwords, {
  /**
   * Hash to store, if this person may have the password: it is examined in the same turn of the queue. The caller has
   * proven who they are, and paid for it from a budget.
   */
  hash(
    password: Redacted.Redacted,
    person: Person
  ): Effect.Effect<string, BadRequest | TemporarilyUnavailable>
  /** Tells whether the password has this hash. Without a hash it takes as long and answers no. */
  verify(hash: string | null, password: Redacted.Redacted): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("slotkey/core/accounts/local/Passwords") {
  static readonly layerNoDeps: Layer.Layer<Passwords, never, GuessablePasswords | HashQueue> = Layer.effect(
    Passwords,
    Effect.gen(function*() {
      const queue = yield* HashQueue
      const { isGuessable } = yield* GuessablePasswords
      // Its native code is missing where a program leaves optional packages out: then nothing but local accounts is
      // missing.
      const argon2 = yield* Effect.promise(() => import("@node-rs/argon2"))

      const hash = Effect.fn("Passwords.hash")(
        function*(password: Redacted.Redacted, person: Person) {
          yield* NewPassword.check(password)
          const run = Effect.runPromiseWith(yield* Effect.context())
          const made = yield* queue.run(async () =>
            await run(isGuessable(password, person))
              ? undefined
              : argon2.hash(NewPassword.normalize(password), parameters)
          )
          if (made === undefined) return yield* NewPassword.guessable
          return made
        }
      )

      const verify = Effect.fn("Passwords.verify")((hash: string | null, password: Redacted.Redacted) =>
        Effect.map(
          queue.run(() => argon2.verify(hash ?? dummyHash, NewPassword.normalize(password))),
          (matches) => matches && hash !== null
        )
      )

      return Passwords.of({ hash, verify })
    })
  )

  static readonly layer: Layer.Layer<Passwords> = this.layerNoDeps.pipe(
    Layer.provide([GuessablePasswords.layer, HashQueue.layer])
  )
}

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const base64 = (bytes: number) => Buffer.alloc(bytes).toString("base64").replace(/=+$/, "")

/** Hash of no password. Verifying against it takes as long as against a real one. */
export const dummyHash =
  `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${base64(16)}$${
    base64(32)
  }`

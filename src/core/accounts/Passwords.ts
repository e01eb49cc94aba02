import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Redacted } from "effect"
import { BadRequest } from "../../domain/ApiError.ts"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { HashQueue } from "../limits/HashQueue.ts"

/**
 * Hashes passwords with argon2id as PHC strings, which carry the parameters that they were made with. Both methods wait in
 * the `HashQueue`, and fail when it has no room or no time for them.
 */
export class Passwords extends Context.Service<Passwords, {
  /** Fails if the password is too short or too long. */
  hash(password: Redacted.Redacted): Effect.Effect<string, BadRequest | TemporarilyUnavailable>
  /** Tells whether the password has this hash. Without a hash it takes as long and answers no. */
  verify(hash: string | null, password: Redacted.Redacted): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("slotkey/core/accounts/Passwords") {
  static readonly layer: Layer.Layer<Passwords> = Layer.effect(
    Passwords,
    Effect.gen(function*() {
      const queue = yield* HashQueue

      const hash = Effect.fn("Passwords.hash")(function*(password: Redacted.Redacted) {
        const text = normalize(password)
        const length = [...text].length
        if (length < minLength || length > maxLength) {
          return yield* new BadRequest({
            code: "unusable_password",
            message: `A password has ${minLength} to ${maxLength} characters.`,
            details: [{ path: "password", message: `must have ${minLength} to ${maxLength} characters` }]
          })
        }
        return yield* queue.run(() => argon2Hash(text, parameters))
      })

      const verify = Effect.fn("Passwords.verify")((hash: string | null, password: Redacted.Redacted) =>
        Effect.map(
          queue.run(() => argon2Verify(hash ?? dummyHash, normalize(password))),
          (matches) => matches && hash !== null
        )
      )

      return Passwords.of({ hash, verify })
    })
  ).pipe(Layer.provide(HashQueue.layer))
}

export const minLength = 12
export const maxLength = 256

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const base64 = (bytes: number) => Buffer.alloc(bytes).toString("base64").replace(/=+$/, "")

/** The hash of no password. Verifying against it takes as long as against a real one. */
export const dummyHash =
  `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${base64(16)}$${
    base64(32)
  }`

// Two keyboards may send the same password as different code points (NIST SP 800-63B §3.1.1.2).
const normalize = (password: Redacted.Redacted): string => Redacted.value(password).normalize("NFKC")

import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Redacted } from "effect"
import type { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import { HashQueue } from "../limits/HashQueue.ts"

/**
 * Hashes passwords with argon2id as PHC strings, which carry the parameters that they were made with. Both methods wait in
 * the `HashQueue`, and fail when it has no room or no time for them.
 */
export class Passwords extends Context.Service<Passwords, {
  /** The hash to store. That the password may be used is for the caller to check (`NewPassword.ts`). */
  hash(password: Redacted.Redacted): Effect.Effect<string, TemporarilyUnavailable>
  /** Tells whether the password has this hash. Without a hash it takes as long and answers no. */
  verify(hash: string | null, password: Redacted.Redacted): Effect.Effect<boolean, TemporarilyUnavailable>
}>()("slotkey/core/accounts/Passwords") {
  static readonly layer: Layer.Layer<Passwords> = Layer.effect(
    Passwords,
    Effect.gen(function*() {
      const queue = yield* HashQueue

      const hash = Effect.fn("Passwords.hash")((password: Redacted.Redacted) =>
        queue.run(() => argon2Hash(normalize(password), parameters))
      )

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

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const base64 = (bytes: number) => Buffer.alloc(bytes).toString("base64").replace(/=+$/, "")

/** The hash of no password. Verifying against it takes as long as against a real one. */
export const dummyHash =
  `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${base64(16)}$${
    base64(32)
  }`

/** The form in which a password counts: two keyboards may send it as different code points (NIST SP 800-63B §3.1.1.2). */
export const normalize = (password: Redacted.Redacted): string => Redacted.value(password).normalize("NFKC")

import { hash as argon2Hash, verify as argon2Verify } from "@node-rs/argon2"
import { Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { BadRequest } from "../../domain/ApiError.ts"

/** Keeps passwords as argon2id in PHC strings, so that each carries the parameters it was made with. */
export class Passwords extends Context.Service<Passwords, {
  /** Refuses a password that is too short or too long to be taken. */
  hash(password: Redacted.Redacted): Effect.Effect<string, BadRequest>
  /** Whether it is the password of this hash; without a hash it costs the same time and is never right. */
  verify(hash: string | null, password: Redacted.Redacted): Effect.Effect<boolean>
}>()("slotkey/core/accounts/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function*() {
      // Hashing runs in the four threads that signatures and name look-ups need, too: it never takes all of them.
      const slots = yield* Semaphore.make(2)

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
        return yield* slots.withPermit(Effect.promise(() => argon2Hash(text, parameters)))
      })

      const verify = Effect.fn("Passwords.verify")((hash: string | null, password: Redacted.Redacted) =>
        slots.withPermit(Effect.promise(() => argon2Verify(hash ?? nobody, normalize(password)))).pipe(
          Effect.map((matches) => matches && hash !== null)
        )
      )

      return Passwords.of({ hash, verify })
    })
  )
}

export const minLength = 12
export const maxLength = 256

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const base64 = (bytes: number) => Buffer.alloc(bytes).toString("base64").replace(/=+$/, "")

/** The hash of no password: verifying against it takes as long as against a real one. */
export const nobody = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${
  base64(16)
}$${base64(32)}`

// The same password typed on two keyboards may come as different code points (NIST SP 800-63B §3.1.1.2).
const normalize = (password: Redacted.Redacted): string => Redacted.value(password).normalize("NFKC")

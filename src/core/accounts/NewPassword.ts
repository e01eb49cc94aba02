import { Effect, type Redacted } from "effect"
import { BadRequest } from "../../domain/ApiError.ts"
import type { Fault } from "../../domain/Input.ts"
import { isGuessable, type Person } from "./GuessablePasswords.ts"
import { normalize } from "./Passwords.ts"

export const minLength = 12
export const maxLength = 256

/** The faults for which nobody may have this password, or this person may not. */
export const faultsOf = Effect.fnUntraced(
  function*(password: Redacted.Redacted, person: Person): Effect.fn.Return<ReadonlyArray<Fault>> {
    const { length } = [...normalize(password)]
    if (length < minLength || length > maxLength) {
      return [{ path: "password", message: `must have ${minLength} to ${maxLength} characters` }]
    }
    return (yield* isGuessable(password, person)) ? [{ path: "password", message: guessable }] : []
  }
)

/** Fails if the person may not have this password. */
export const check = Effect.fnUntraced(function*(password: Redacted.Redacted, person: Person) {
  const details = yield* faultsOf(password, person)
  const [fault] = details
  if (fault === undefined) return
  return yield* new BadRequest({ code: "unusable_password", message: `The password ${fault.message}.`, details })
})

const guessable = "is easy to guess; a few words that nobody else would put together are not"

import { Effect, Redacted } from "effect"
import { BadRequest } from "../../../domain/ApiError.ts"
import type { Fault } from "../../../domain/Input.ts"
import { broken } from "../../../domain/Rule.ts"

export const minLength = 12
const maxLength = 256

/**
 * Faults of a new password that are seen at once, for forms that tell them with those of their other fields. Whether it
 * is easy to guess is examined when it is hashed (`Passwords`): that costs so much that it comes last.
 */
export const faultsOf = (password: Redacted.Redacted): ReadonlyArray<Fault> => {
  const { length } = [...normalize(password)]
  return length < minLength || length > maxLength
    ? [{ path: "password", ...broken("length", { least: minLength, most: maxLength }) }]
    : []
}

/** Fails with the first of these faults. */
export const check = (password: Redacted.Redacted): Effect.Effect<void, BadRequest> => {
  const [fault] = faultsOf(password)
  return fault === undefined ? Effect.void : Effect.fail(unusable(fault))
}

/** Form in which a password counts: two keyboards may send it as different code points (NIST SP 800-63B §3.1.1.2). */
export const normalize = (password: Redacted.Redacted): string => Redacted.value(password).normalize("NFKC")

const unusable = (fault: Fault) =>
  new BadRequest({ code: "unusable_password", message: `The password ${fault.message}.`, details: [fault] })

export const guessable = unusable({ path: "password", ...broken("guessable") })

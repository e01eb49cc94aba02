import { Effect, type Redacted, Schema } from "effect"
import type { BadRequest } from "../../../domain/ApiError.ts"
import * as Input from "../../../domain/Input.ts"
import { Line } from "../../../domain/Text.ts"
import { Email, type Role, Username } from "../people/Account.ts"
import { faultsOf } from "./NewPassword.ts"

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password: Redacted.Redacted
  /** Derived from the e-mail address when absent. */
  readonly username?: string
  readonly role?: Role
  /** Actor in the audit trail; the account itself when absent. */
  readonly by?: string
}

/**
 * Decodes the names of an account. The error lists every fault at once: theirs, those of the password that are seen at
 * once, and `more`.
 */
export const decodeNewAccount = Effect.fnUntraced(function*(
  input: NewAccount,
  more: ReadonlyArray<Input.Fault> = []
): Effect.fn.Return<typeof Names.Type, BadRequest> {
  const names = yield* Effect.result(decodeNames(input))
  const faults = [...Input.faultsOf(names), ...faultsOf(input.password), ...more]
  return yield* faults.length > 0 ? Input.invalid(faults) : Effect.fromResult(names)
})

const Names = Schema.Struct({ email: Email, name: Line(1, 100), username: Schema.optionalKey(Username) })
const decodeNames = Input.decode(Names)

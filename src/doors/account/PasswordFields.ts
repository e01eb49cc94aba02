import { Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Account } from "../../core/accounts/people/Account.ts"
import { SignIn } from "../../core/accounts/people/SignIn.ts"
import * as Input from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { type Broken, broken } from "../../domain/Rule.ts"
import { waitMinutes } from "../../domain/TooManyAttempts.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"

export const passwordIn = (fields: Parameters, name: "password" | "current"): Redacted.Redacted =>
  Redacted.make(fields.get(name) ?? "", { label: "password" })

/** Faults of a form in which a new password is entered a second time (`repeated`). */
export const repetitionFaults = (fields: Parameters): ReadonlyArray<Input.Fault> =>
  fields.get("password") === fields.get("repeated")
    ? []
    : [{ path: "repeated", ...broken("repeated") }]

/** Checks the field `current` of a form against the account's password: a wrong one is a fault of that field. */
export const currentPasswordCheck = Effect.gen(function*() {
  const config = yield* AppConfig
  const signIn = yield* SignIn

  return Effect.fnUntraced(function*(account: Account, fields: Parameters) {
    const address = clientAddress(config, yield* HttpServerRequest.HttpServerRequest)
    yield* signIn.confirm(account, { password: passwordIn(fields, "current"), address }).pipe(
      Effect.catchTags({
        TemporarilyUnavailable: Effect.die,
        TooManyAttempts: (error) => wrong(broken("wrongTooOften", { minutes: waitMinutes(error) })),
        WrongCredentials: () => wrong(broken("wrong"))
      })
    )
  })
})

const wrong = (found: Broken) => Effect.fail(Input.invalid([{ path: "current", ...found }]))

import { Effect } from "effect"
import { Conflict, NotFound } from "../../../domain/ApiError.ts"
import { broken } from "../../../domain/Rule.ts"

export const emailTaken = Effect.fail(
  new Conflict({
    code: "email_taken",
    message: "There is an account with this e-mail address already.",
    details: [{ path: "email", ...broken("emailOfAnother") }]
  })
)

export const usernameTaken = Effect.fail(
  new Conflict({
    code: "username_taken",
    message: "This user name is taken.",
    details: [{ path: "username", ...broken("taken") }]
  })
)

export const lastAdministrator = Effect.fail(
  new Conflict({ code: "last_administrator", message: "This is the last administrator. Appoint another one first." })
)

export const accountNotFound = Effect.fail(
  new NotFound({ code: "account_not_found", message: "There is no such account." })
)

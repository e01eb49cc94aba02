import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import type { Parameters } from "../../domain/Parameters.ts"

/** Forms of the page, which are sent to the paths of these names below it. */
export const forms = ["profile", "password", "api-keys"] as const

/** A form that was refused, or not sent at all, with the fields that it had. */
export interface RefusedForm {
  readonly form: typeof forms[number]
  readonly problem: BadRequest | Conflict | NotFound
  readonly entered?: Parameters
}

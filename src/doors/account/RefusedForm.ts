import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import type { Parameters } from "../../domain/Parameters.ts"

/** A form that was refused, with the fields that it sent. */
export interface RefusedForm {
  readonly form: "profile" | "password" | "api-keys"
  readonly problem: BadRequest | Conflict | NotFound
  readonly entered?: Parameters
}

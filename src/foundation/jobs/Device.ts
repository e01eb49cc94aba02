import { Schema } from "effect"

/** Device at which an account was used, for the mail about it: its user tells by it whether it was theirs. */
export const Device = Schema.Struct({
  /** `User-Agent` header. */
  browser: Schema.NullOr(Schema.String),
  /** Network address. */
  address: Schema.NullOr(Schema.String)
})
export type Device = typeof Device.Type

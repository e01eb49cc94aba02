import { Schema } from "effect"

/** A notice with its end, as the row of a session keeps it. */
export const KeptNotice = Schema.Struct({
  path: Schema.String,
  text: Schema.String,
  until: Schema.DateTimeUtcFromString
})
export type KeptNotice = typeof KeptNotice.Type

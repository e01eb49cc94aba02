import { Schema } from "effect"

/** A notice with its end, as the row of a session keeps it. */
export const KeptNotice = Schema.Struct({
  path: Schema.String,
  /** In English, which a release shows that does not know the message. */
  text: Schema.String,
  /** Key and values of the message: in which language it is read is known when it is shown. */
  message: Schema.optionalKey(Schema.Struct({
    key: Schema.String,
    values: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number]))
  })),
  until: Schema.DateTimeUtcFromString
})
export type KeptNotice = typeof KeptNotice.Type

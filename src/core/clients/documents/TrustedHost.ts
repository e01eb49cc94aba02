import { Schema } from "effect"

/** A host whose documents need no review for the base set. */
export const TrustedHost = Schema.Struct({
  host: Schema.String,
  by: Schema.String,
  at: Schema.DateTimeUtcFromDate,
  /** Apps that describe themselves at it. */
  apps: Schema.Int
}).annotate({ identifier: "TrustedHost" })
export type TrustedHost = typeof TrustedHost.Type

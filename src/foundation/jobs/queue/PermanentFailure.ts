import { Schema } from "effect"

/** A job that no further attempt can do: a handler that fails with it has the job put aside at once. */
export class PermanentFailure
  extends Schema.TaggedError<PermanentFailure>()("PermanentFailure", { message: Schema.String })
{}

import { Schema } from "effect"

/** A failure that no further attempt can mend: a handler that fails with it makes its job a dead letter at once. */
export class PermanentFailure
  extends Schema.TaggedError<PermanentFailure>()("PermanentFailure", { message: Schema.String })
{}

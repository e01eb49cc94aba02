import { Schema } from "effect"
import { UserId } from "../../../domain/Ids.ts"
import { define } from "../Job.ts"

/** Warns the owner of apps that imported grants of them are about to end. */
export const EndWarningMail = define({
  queue: "end-warning-mails",
  payload: Schema.Struct({
    userId: UserId,
    /** The mail is about the grants that end by then. */
    until: Schema.DateTimeUtcFromString
  }).pipe(Schema.encodeKeys({ userId: "ownerId" })),
  subject: ({ userId }) => `user:${userId}`
})
